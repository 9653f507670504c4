"""Templates, styles and scripts that the report, the explorer and notebooks share."""
