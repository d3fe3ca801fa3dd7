"""Instructors' pages of marking anew: questions and code."""
