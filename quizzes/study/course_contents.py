"""The lessons and exercises of a course, read once for a page that asks for them several times."""

from dataclasses import dataclass
from functools import cached_property

from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import course_exercises
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.models import Lesson


@dataclass(frozen=True)
class CourseContents:
    """What learners find in a course, each part read when it is first asked for."""

    course: Course

    @cached_property
    def lessons(self) -> tuple[Lesson, ...]:
        return course_lessons(self.course)

    @cached_property
    def exercises(self) -> tuple[Exercise, ...]:
        return course_exercises(self.course)
