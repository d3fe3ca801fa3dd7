"""Sending a job to NumPy's or to torch's fork server.

Decided by the bytes `torch` in the source and by the exercise's library: submitted code is never
parsed out here. A false alarm (the word in a comment) costs some milliseconds and nothing else.
"""

from __future__ import annotations

from quizzes.grader.distributions import is_installed
from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Job, Run
from quizzes.grader.profiles import AUTHOR, AUTHOR_TORCH, NUMPY, TORCH, Profile
from quizzes.grader.supervisor import Supervisor

WORD = "torch"


class RoutedSandbox:
    """Implements `Sandbox` with two fork servers; torch's is started by the first job for it.

    It takes 3 s to start and 300 MB to keep, so who never mentions torch never pays; who serves a
    class calls `start_torch_soon`, so that nobody waits for it. Where torch is not installed
    everything goes to NumPy, and `import torch` fails in the submitted code.
    """

    def __init__(self, numpy: Profile, torch: Profile) -> None:
        self.numpy = Supervisor(numpy)
        self.torch = Supervisor(torch) if is_installed(WORD) else None
        self._torch_is_up = False

    def start(self) -> None:
        """Starts and tests NumPy's fork server; raises SandboxUnavailable."""
        self.numpy.start()

    def start_torch_soon(self) -> None:
        """Starts torch's fork server beside, without waiting for it."""
        if self.torch is not None:
            self.torch.start_soon()

    def stock_later(self) -> None:
        """From now on spare children are made by `get_ready`, not at the end of a job."""
        for supervisor in self._both():
            supervisor.stock_later()

    def get_ready(self) -> None:
        """Makes spare children."""
        for supervisor in self._both():
            supervisor.get_ready()

    def renew(self) -> None:
        """Replaces fork servers that are worn."""
        for supervisor in self._both():
            supervisor.renew()

    def run(self, job: Job) -> Run:
        """Runs one job on the fork server it needs; raises SandboxBroken."""
        return self._route(job).run(job)

    def close(self) -> None:
        """Ends both; safe to call twice."""
        for supervisor in self._both():
            supervisor.close()

    def _both(self) -> list[Supervisor]:
        return [self.numpy] if self.torch is None else [self.numpy, self.torch]

    def _route(self, job: Job) -> Supervisor:
        if self.torch is None or not (WORD in job.source or job.library == WORD):
            return self.numpy
        if not self._torch_is_up:
            try:
                self.torch.start()
            except SandboxUnavailable as error:
                raise SandboxBroken(str(error)) from error
            self._torch_is_up = True
        return self.torch


def student_sandbox() -> RoutedSandbox:
    """For submissions: NumPy, and torch when it is named."""
    return RoutedSandbox(NUMPY, TORCH)


def author_sandbox() -> RoutedSandbox:
    """For references, cases and known-wrong variants: the same, with `posenc`."""
    return RoutedSandbox(AUTHOR, AUTHOR_TORCH)
