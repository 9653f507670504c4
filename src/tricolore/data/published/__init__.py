"""One file per public dataset, which reads the published format as it is."""
