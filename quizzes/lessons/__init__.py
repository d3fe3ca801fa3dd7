"""Courses, lessons and steps: reading pages, figure addresses."""
