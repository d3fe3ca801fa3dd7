"""Marks, computed when they are read."""
