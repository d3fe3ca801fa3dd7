"""Instructors' pages about the questions of a class's quizzes."""
