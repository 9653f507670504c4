"""The estimators that learn from people: mixes, SUM-QE, SBERT regression."""
