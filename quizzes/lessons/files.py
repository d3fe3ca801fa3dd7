"""The verbs of a course's lesson files, for the loader."""

from quizzes.lessons.reading import read_course, read_lessons
from quizzes.lessons.storing import save_course, save_lesson, stored_courses, stored_lessons

__all__ = [
    "read_course",
    "read_lessons",
    "save_course",
    "save_lesson",
    "stored_courses",
    "stored_lessons",
]
