"""A course, a quiz and an instructor, as the tests of instructors' pages have them."""

from tests.teaching.conftest import ada, course, load, quiz

__all__ = ["ada", "course", "load", "quiz"]
