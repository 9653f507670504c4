"""Tables and other things to look at."""
