"""Courses, their addresses, and the people who work on them."""
