"""Running exercises of a course folder before anybody loads it: what `check_content` does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from quizzes.exercises.files import ExerciseSource
from quizzes.grader.errors import DefinitionError
from quizzes.grader.sandbox import open_sandbox
from quizzes.grader.verifying import verify


@dataclass(frozen=True)
class Proved:
    """What running one exercise showed: faults (`path/of/file: what`), and what to look at."""

    slug: str
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def prove_exercises(exercises: Sequence[ExerciseSource]) -> Iterator[Proved]:
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
                problems, remarks = (str(error),), ()
            folder = PurePath(exercise.path).parent
            yield Proved(
                exercise.slug,
                tuple(f"{folder}/{problem}" for problem in problems),
                tuple(f"{folder}: {remark}" for remark in remarks),
            )
