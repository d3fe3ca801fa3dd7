"""Instructors' pages about how a class answers the questions of its course."""
