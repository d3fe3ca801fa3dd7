"""The learner's own pages: home, progress."""
