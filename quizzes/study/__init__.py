"""The learner's own pages: home, progress, review, concept map, data."""
