"""Opening a sandbox: the only way to run code that is not ours. Fails closed.

A student's and an author's sandbox have two fork servers each, NumPy's and torch's. Which one gets
a job is decided by the bytes `torch` in the source and by the exercise's library: submitted code is
never parsed out here. A false alarm (the word in a comment) costs some milliseconds and nothing
else.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from quizzes.grader.protocol.job import Job, Run, Sandbox, ServingSandbox
from quizzes.grader.sandbox.host_files import is_installed
from quizzes.grader.sandbox.profiles import (
    AUTHOR,
    AUTHOR_TORCH,
    NUMPY,
    PROFILES,
    TORCH,
    Profile,
)
from quizzes.grader.sandbox.supervisor import Supervisor

WORD = "torch"


class RoutedSandbox:
    """Implements `Sandbox` with two fork servers; torch's is started by the first job for it.

    It takes 3 s to start and 300 MB to keep, so code that never mentions torch does not pay for it;
    a worker that serves a class calls `start_torch_soon`, so that nobody waits for it. Where torch
    is not installed everything goes to NumPy, and `import torch` fails in the submitted code.
    """

    def __init__(self, numpy: Profile, torch: Profile) -> None:
        self.numpy = Supervisor(numpy)
        self.torch = Supervisor(torch) if is_installed(WORD) else None

    def start(self) -> None:
        """Start and test NumPy's fork server; raises SandboxUnavailable."""
        self.numpy.start()

    def start_torch_soon(self) -> None:
        """Start torch's fork server beside, without waiting for it."""
        if self.torch is not None:
            self.torch.start_soon()

    def stock_later(self) -> None:
        """Have spare children made by `get_ready` from now on, not at the end of a job."""
        for supervisor in self._both():
            supervisor.stock_later()

    def get_ready(self) -> None:
        """Make spare children."""
        for supervisor in self._both():
            supervisor.get_ready()

    def renew(self) -> None:
        """Replace fork servers that are due for it."""
        for supervisor in self._both():
            supervisor.renew()

    def run(self, job: Job) -> Run:
        """Run one job on the fork server it needs; raises SandboxBroken."""
        return self._route(job).run(job)

    def close(self) -> None:
        """End both; safe to call twice."""
        for supervisor in self._both():
            supervisor.close()

    def _both(self) -> list[Supervisor]:
        return [self.numpy] if self.torch is None else [self.numpy, self.torch]

    def can_run_soon(self, source: str, library: str) -> bool:
        """Say whether this code need not wait for torch; where it must, torch is being started."""
        if self.torch is None or not _needs_torch(source, library) or self.torch.can_run_soon():
            return True
        self.torch.start_soon()
        return False

    def _route(self, job: Job) -> Supervisor:
        if self.torch is None or not _needs_torch(job.source, job.library):
            return self.numpy
        return self.torch


def _needs_torch(source: str, library: str) -> bool:
    return WORD in source or library == WORD


def student_sandbox() -> RoutedSandbox:
    """Make a sandbox for submissions: NumPy, and torch when it is named."""
    return RoutedSandbox(NUMPY, TORCH)


def author_sandbox() -> RoutedSandbox:
    """Make a sandbox for references, cases and known-wrong variants: the same, with `posenc`."""
    return RoutedSandbox(AUTHOR, AUTHOR_TORCH)


class LateSandbox(Sandbox, Protocol):
    """One that starts while its caller works, or by its first job."""

    def can_run_soon(self) -> bool:
        """Say whether it serves by now."""
        ...

    def start_soon(self) -> None:
        """Start it and return at once."""
        ...

    def close(self) -> None:
        """End it; safe to call twice."""
        ...


def author_sandbox_later(library: str) -> LateSandbox:
    """Return the author's sandbox for the exercises of one library, not started yet."""
    sandbox = Supervisor(AUTHOR_TORCH if library == WORD and is_installed(WORD) else AUTHOR)
    sandbox.stock_later()
    return sandbox


ROUTED = {"student": student_sandbox, "author": author_sandbox}


@contextmanager
def open_sandbox(profile: str) -> Iterator[RoutedSandbox | Supervisor]:
    """Open a self-tested sandbox; raises SandboxUnavailable.

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
    """Open the same for a worker, which serves many and calls `get_ready` when nobody waits.

    With `warm_torch` its fork server gets ready before anybody asks for it.
    """
    with open_sandbox(profile) as sandbox:
        if warm_torch and isinstance(sandbox, RoutedSandbox):
            sandbox.start_torch_soon()
        sandbox.stock_later()
        yield sandbox
