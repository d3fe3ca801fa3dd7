"""The grader's error tree.

GraderError
├── DefinitionError      an author's file is wrong: path, line, message
│   └── AuthorError      an author's code failed or did not end in the author sandbox
├── SandboxUnavailable   this machine cannot sandbox: reason, cure (grading is off)
└── SandboxBroken        one run failed on our side (the caller retries, then not_graded)
"""

from __future__ import annotations

from quizzes.content_files.characters import visible

MAX_MESSAGE = 2000  # characters; one message may quote a line of an author's code


class GraderError(Exception):
    """Root of everything the grader raises on purpose."""


class DefinitionError(GraderError):
    """A fault in an exercise's files; `str()` is `path:line: message`, safe on a terminal."""

    def __init__(self, path: str, line: int, message: str) -> None:
        path, message = visible(path), visible(message, MAX_MESSAGE)
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


class AuthorError(DefinitionError):
    """An author's code raised, looped, or gave something that cannot be an exercise."""


class SandboxUnavailable(GraderError):  # noqa: N818
    """No sandbox can be had here, so nothing is graded; says why and what to do."""

    def __init__(self, reason: str, cure: str) -> None:
        super().__init__(f"{reason} {cure}")
        self.reason = reason
        self.cure = cure


class SandboxBroken(GraderError):  # noqa: N818
    """The sandbox failed during a run; never the fault of the submission."""
