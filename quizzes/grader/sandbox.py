"""Opening a sandbox: the only way to run code that is not ours. Fails closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Job, Limits, Run, Sandbox
from quizzes.grader.profiles import PROFILES
from quizzes.grader.supervisor import Supervisor

__all__ = [
    "Job",
    "Limits",
    "Run",
    "Sandbox",
    "SandboxBroken",
    "SandboxUnavailable",
    "open_sandbox",
]


@contextmanager
def open_sandbox(profile: str) -> Iterator[Supervisor]:
    """A self-tested sandbox for `numpy` (students) or `author`; raises SandboxUnavailable."""
    if profile not in PROFILES:
        raise ValueError(f"profile={profile!r}: expected one of {', '.join(PROFILES)}")
    supervisor = Supervisor(PROFILES[profile])
    supervisor.start()
    try:
        yield supervisor
    finally:
        supervisor.close()
