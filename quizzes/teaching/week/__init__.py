"""Instructors' first page of a class: this week."""
