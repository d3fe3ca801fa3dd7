"""Running exercises of a course folder before anybody loads it: what `check_content` does."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from quizzes.exercises.files import ExerciseSource
from quizzes.grader.errors import DefinitionError
from quizzes.grader.sandbox import open_sandbox
from quizzes.grader.verifying import verify


def proof_problems(exercises: Sequence[ExerciseSource]) -> Iterator[str]:
    """Yield whatever keeps exercises from proving themselves, as `path/of/file: what`.

    Raises SandboxUnavailable and SandboxBroken where there is an exercise to run.
    """
    if not exercises:
        return
    with open_sandbox("author") as author, open_sandbox("student") as student:
        for exercise in exercises:
            try:
                problems = verify(exercise.definition, author, student).problems
            except DefinitionError as error:
                problems = (str(error),)
            for problem in problems:
                yield f"{PurePath(exercise.path).parent}/{problem}"
