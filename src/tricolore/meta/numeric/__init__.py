"""Fast numeric back ends of the statistics: many resamples, permutations or draws at once."""
