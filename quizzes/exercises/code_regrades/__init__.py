"""Submissions graded by a newer version of their exercise: beside them, applied, undone."""
