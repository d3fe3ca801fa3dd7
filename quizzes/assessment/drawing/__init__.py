"""Draws of a generated question that is being written: asked for, reported, and published."""
