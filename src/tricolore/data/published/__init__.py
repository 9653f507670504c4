"""One file a public set: its published format, read as it is."""
