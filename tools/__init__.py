"""What makes the shipped data and the reproduced tables; not part of the package."""
