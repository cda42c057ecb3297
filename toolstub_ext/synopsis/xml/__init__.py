"""XML, by expat with entities refused; and HTML, which is none."""
