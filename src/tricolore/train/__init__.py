"""The estimators that learn from human scores: mixes, SUM-QE, SBERT regression."""
