"""Exercises and generators of a course folder, run before it is loaded, for `check_content`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from quizzes.assessment.generator.run_generator import generator_problems
from quizzes.assessment.sources import QuestionSource
from quizzes.content_files.problems import ContentProblem
from quizzes.exercises.files import ExerciseSource
from quizzes.grader.api import DefinitionError
from quizzes.grader.definitions import verify
from quizzes.grader.sandbox import open_sandbox


@dataclass(frozen=True)
class CheckedExercise:
    """One exercise after it ran: problems (`path/of/file: message`), and remarks to look at."""

    slug: str
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def check_exercises(exercises: Sequence[ExerciseSource]) -> Iterator[CheckedExercise]:
    """Yield each exercise once it ran.

    Raises SandboxUnavailable and SandboxBroken where there is an exercise to run.
    """
    if not exercises:
        return
    with open_sandbox("author") as author, open_sandbox("student") as student:
        for exercise in exercises:
            try:
                found = verify(exercise.definition, author, student)
                problems, remarks = found.problems, found.proof.remarks
            except DefinitionError as error:
                problems, remarks = tuple(map(str, error.problems)), ()
            folder = PurePath(exercise.path).parent
            yield CheckedExercise(
                exercise.slug,
                tuple(f"{folder}/{problem}" for problem in problems),
                tuple(f"{folder}: {remark}" for remark in remarks),
            )


def check_generators(questions: Iterable[QuestionSource]) -> list[ContentProblem]:
    """Run every generator with a few seeds; return the authors' faults.

    Raises SandboxUnavailable and SandboxBroken where there is a generator to run.
    """
    generated = [question for question in questions if question.generator]
    if not generated:
        return []
    with open_sandbox("author") as author:
        return list(generator_problems(generated, author))
