"""Marks, computed when they are read: pure cells, and a reader of the database."""

from quizzes.classes.marks.reader import Marks, MemberMarks, marks, marks_of

__all__ = ["Marks", "MemberMarks", "marks", "marks_of"]
