"""Opening a sandbox: the only way to run code that is not ours. Fails closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Job, Limits, Run, Sandbox, ServingSandbox
from quizzes.grader.profiles import PROFILES
from quizzes.grader.routing import RoutedSandbox, author_sandbox, student_sandbox
from quizzes.grader.supervisor import Supervisor

__all__ = [
    "Job",
    "Limits",
    "Run",
    "Sandbox",
    "SandboxBroken",
    "SandboxUnavailable",
    "ServingSandbox",
    "open_for_serving",
    "open_sandbox",
]


ROUTED = {"student": student_sandbox, "author": author_sandbox}


@contextmanager
def open_sandbox(profile: str) -> Iterator[RoutedSandbox | Supervisor]:
    """A self-tested sandbox; raises SandboxUnavailable.

    `student` is the one for submissions, `author` the one that may import posenc; each sends its
    jobs to one of two fork servers, which `numpy`, `torch`, `author-numpy` and `author-torch` name.
    """
    sandbox: RoutedSandbox | Supervisor
    if profile in ROUTED:
        sandbox = ROUTED[profile]()
    elif profile in PROFILES:
        sandbox = Supervisor(PROFILES[profile])
    else:
        known = ", ".join((*ROUTED, *PROFILES))
        raise ValueError(f"profile={profile!r}: expected one of {known}")
    sandbox.start()
    try:
        yield sandbox
    finally:
        sandbox.close()


@contextmanager
def open_for_serving(profile: str, *, warm_torch: bool = True) -> Iterator[ServingSandbox]:
    """The same for who serves many and calls `get_ready` when nobody waits.

    With `warm_torch` its fork server gets ready before anybody asks for it.
    """
    with open_sandbox(profile) as sandbox:
        if warm_torch and isinstance(sandbox, RoutedSandbox):
            sandbox.start_torch_soon()
        sandbox.stock_later()
        yield sandbox
