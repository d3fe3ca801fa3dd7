"""Grading files one after another without a queue: what `manage.py grade` does."""

import logging
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import DatabaseError

from quizzes.exercises.files import FOLDER
from quizzes.exercises.models import Exercise
from quizzes.exercises.preparing import new_seed, told_cases
from quizzes.exercises.submitted_file import SubmittedFile
from quizzes.grader.definition import ExerciseDefinition, read_definition, read_folder
from quizzes.grader.errors import DefinitionError, SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Sandbox
from quizzes.grader.judge import judge
from quizzes.grader.preparing import prepare
from quizzes.grader.report import Report, Verdict
from quizzes.grader.sandbox import open_sandbox
from quizzes.pages.fields import is_slug

TRIES = 2

logger = logging.getLogger(__name__)


class UnknownExercise(Exception):  # noqa: N818
    """No exercise has this slug, neither in the database nor in the shipped course."""


def find_definition(slug: str) -> ExerciseDefinition:
    """Return the version that learners meet, else the shipped course's; UnknownExercise if none."""
    try:
        stored = Exercise.objects.select_related("current").filter(slug=slug).first()
    except DatabaseError:
        stored = None  # no database here, or an empty one: the course's files need none
    if stored is not None and stored.current is not None:
        if stored.current.verification == "refused":
            problem = "; ".join(stored.current.problems)
            raise DefinitionError(slug, 1, f"failed its own verification: {problem}")
        return read_definition(slug, stored.current.files)
    folder = settings.COURSE / FOLDER / slug
    if is_slug(slug) and folder.is_dir():
        return read_definition(slug, read_folder(folder, root=settings.COURSE))
    known = ", ".join(sorted(path.name for path in (settings.COURSE / FOLDER).glob("*/")))
    raise UnknownExercise(f"There is no exercise {slug!r}. The course has: {known or 'none'}.")


class Grader:
    """One pack of fresh cases and one sandbox, opened anew should it break."""

    def __init__(self, definition: ExerciseDefinition) -> None:
        self._definition = definition
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with open_sandbox("author") as author:
            self._pack = prepare(self._definition, author, seed=new_seed())
        self._cases = len(told_cases(self._pack))
        self._sandbox: Sandbox | None = self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def grade(self, file: SubmittedFile) -> Report:
        """Return the report of one file: not_graded when our side failed twice."""
        if file.refusal is not None:
            return replace(file.refusal, cases_total=self._cases)
        for _ in range(TRIES):
            try:
                self._sandbox = self._sandbox or self._open()
                return judge(self._pack, file.code, self._sandbox)
            except (SandboxBroken, SandboxUnavailable) as error:
                logger.error("%r: %s", file.path, error)
                self._sandbox = None
            except Exception:
                logger.exception("%r could not be judged", file.path)
        return Report(Verdict.NOT_GRADED)

    def _open(self) -> Sandbox:
        self._stack.close()
        return self._stack.enter_context(open_sandbox("student"))
