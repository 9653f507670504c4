"""Pages and a JSON API over HTTP: the explorer and what it calls."""
