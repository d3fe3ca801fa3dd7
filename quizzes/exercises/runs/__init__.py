"""Runs: code that a learner has run for its own sake, a listing or an exercise's with a call."""
