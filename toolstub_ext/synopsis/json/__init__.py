"""JSON: one value, many of them, a stream of events, or an envelope around another text."""
