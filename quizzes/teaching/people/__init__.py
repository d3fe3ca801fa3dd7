"""Instructors' pages about the people of a class and their work."""
