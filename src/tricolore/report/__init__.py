"""Tables, figures, progress bars and highlighted texts."""
