"""The start page's program with one slip, which a visitor has checked by the real judge.

Its form posts a Check to the exercise as the exercise's own page does, with the same limits, and
the page takes the same fragment: there is no second way to a verdict. A test has the judge name a
known mistake of the exercise, so the page never promises what a Check does not say.
"""

from dataclasses import dataclass
from uuid import UUID

from django.utils.safestring import SafeString

from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.exercises.page_context import new_key
from quizzes.exercises.services import course_exercises
from quizzes.pages.markdown import highlight_code

EXERCISE = "sinusoidal-table"
# Six lines, none longer than a phone shows. The exponent should be the pair's: `col - col % 2`.
PROGRAM = """\
import numpy as np

def sinusoidal_table(n, d, base=10000):
    pos, col = np.ogrid[:n, :d]
    angle = pos / base ** (col / d)
    sin, cos = np.sin(angle), np.cos(angle)
    return np.where(col % 2, cos, sin)
"""
SHOWN = highlight_code(PROGRAM, "python")


@dataclass(frozen=True)
class Slip:
    """The exercise that the program is checked by, and the key of a new form."""

    exercise: Exercise
    key: UUID
    program: str = PROGRAM
    shown: SafeString = SHOWN


def slip_in(course: Course) -> Slip | None:
    """Return what the start page of a course shows; None where nothing could be checked.

    No query where the exercises of the course are cached.
    """
    verified = ExerciseVersion.Verification.OK
    for exercise in course_exercises(course):
        current = exercise.current
        if exercise.slug == EXERCISE and current and current.verification == verified:
            return Slip(exercise, new_key())
    return None
