"""Tables of delimited values: rows as `csv.reader` counts them, and what stands in their columns."""
