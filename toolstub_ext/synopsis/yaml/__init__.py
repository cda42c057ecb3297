"""YAML, by a scan of its lines and events; it is never loaded."""
