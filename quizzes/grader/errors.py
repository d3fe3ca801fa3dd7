"""The grader's error tree.

GraderError
├── DefinitionError      an author's files are wrong: problems, each with path, line, message
│   └── AuthorError      an author's code failed or did not end in the author sandbox
├── SandboxUnavailable   this machine cannot sandbox: reason, cure (grading is off)
└── SandboxBroken        one run failed on our side (the caller retries, then not_graded)
    └── MachineTooBusy   it got too little of a processor; the sandbox itself serves on
"""

from __future__ import annotations

from collections.abc import Iterable

from quizzes.content_files.problems import ContentProblem


class GraderError(Exception):
    """Root of everything the grader raises on purpose."""


class DefinitionError(GraderError):
    """What is wrong with an exercise's files; `str()` has a line for each, safe on a terminal.

    Paths are those within the exercise's folder.
    """

    def __init__(self, problems: Iterable[ContentProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class AuthorError(DefinitionError):
    """An author's code raised, looped, or gave something that cannot be an exercise.

    `message` is the first of what is wrong at that place.
    """

    def __init__(self, path: str, line: int, *messages: str) -> None:
        super().__init__(ContentProblem(path, line, message) for message in messages)
        first = self.problems[0]
        self.path, self.line, self.message = first.path, first.line, first.message


class SandboxUnavailable(GraderError):  # noqa: N818
    """No sandbox can be had here, so nothing is graded; says why and what to do."""

    def __init__(self, reason: str, cure: str) -> None:
        super().__init__(f"{reason} {cure}")
        self.reason = reason
        self.cure = cure


class SandboxBroken(GraderError):  # noqa: N818
    """The sandbox failed during a run; never the fault of the submission."""


class MachineTooBusy(SandboxBroken):
    """A run had not used up its limit when it had taken longer than any run may hold a worker."""
