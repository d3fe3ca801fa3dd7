"""What others hold of the grader: cases, sandboxes, verdicts, errors, text safe to store."""

from quizzes.grader.errors import (
    AuthorError,
    DefinitionError,
    MachineTooBusy,
    SandboxBroken,
    SandboxUnavailable,
)
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Limits, Run, Sandbox, ServingSandbox
from quizzes.grader.protocol.sanitize import clean, clean_line, storable, storable_text
from quizzes.grader.protocol.verdict import Stage, Verdict
from quizzes.grader.protocol.wire import BadFrame

__all__ = [
    "AuthorError",
    "BadFrame",
    "Case",
    "DefinitionError",
    "Job",
    "Limits",
    "MachineTooBusy",
    "Run",
    "Sandbox",
    "SandboxBroken",
    "SandboxUnavailable",
    "ServingSandbox",
    "Stage",
    "Verdict",
    "clean",
    "clean_line",
    "storable",
    "storable_text",
]
