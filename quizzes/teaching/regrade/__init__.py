"""Instructors' pages of regrades: of a question, of an exercise."""
