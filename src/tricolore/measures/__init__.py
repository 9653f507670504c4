"""One file per measure, named after the measure."""
