"""What is wrong with a file of a course, said so that its author can find and mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Literal

from quizzes.content_files.characters import visible

# What forms say in words of their own; "" is any other fault.
Code = Literal["", "missing", "empty", "one_key", "several_keys", "not_run"]
MAX_MESSAGE = 2000  # characters; one message may quote a line of an author's code


@dataclass(frozen=True, order=True)
class ContentProblem:
    """One thing wrong in a content file.

    Both texts are safe to print: they quote what an author wrote and how a file is called.
    `key`: the field that the message begins with, "" where it begins with none.
    `since_published`: of a rule that is younger than courses which stand. What is published as it
    is only gets a warning; what is new or changed is refused.
    """

    path: str
    line: int
    message: str
    since_published: bool = False
    key: str = ""
    code: Code = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", visible(self.path))
        object.__setattr__(self, "message", visible(self.message, MAX_MESSAGE))

    @property
    def words(self) -> str:
        """Return the message without its field, for a form that names the field itself."""
        return self.message[len(visible(self.key)) + 2 :] if self.key else self.message

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"

    def below(self, folder: str) -> ContentProblem:
        """Return the same problem of a path that is told relative to `folder`."""
        return replace(self, path=(PurePosixPath(folder) / self.path).as_posix())


def refused(
    problems: Iterable[ContentProblem], *, is_published: bool
) -> tuple[ContentProblem, ...]:
    """Return the problems that refuse content, of which `is_published` says whether it stands."""
    return tuple(problem for problem in problems if not (is_published and problem.since_published))


class ContentError(Exception):
    """Content that cannot be read; `problems` says where and why."""

    def __init__(self, problems: Iterable[ContentProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
