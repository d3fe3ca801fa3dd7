"""Instructors' pages."""
