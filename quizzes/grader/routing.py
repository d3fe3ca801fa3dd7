"""Sending a submission to NumPy's or to torch's fork server.

Decided by the bytes `torch` in the source: students' code is never parsed out here. A false alarm
(the word in a comment) costs some milliseconds and nothing else.
"""

from __future__ import annotations

from quizzes.grader.distributions import is_installed
from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Job, Run
from quizzes.grader.profiles import NUMPY, TORCH
from quizzes.grader.supervisor import Supervisor

WORD = "torch"


class StudentSandbox:
    """Implements `Sandbox` with two fork servers; torch's is started by the first job for it.

    It takes 3 s to start and 300 MB to keep, so a class that never mentions torch never pays. Where
    torch is not installed everything goes to NumPy, and `import torch` fails in the student's code.
    """

    def __init__(self) -> None:
        self.numpy = Supervisor(NUMPY)
        self.torch = Supervisor(TORCH) if is_installed(WORD) else None
        self._torch_is_up = False

    def start(self) -> None:
        """Starts and tests NumPy's fork server; raises SandboxUnavailable."""
        self.numpy.start()

    def run(self, job: Job) -> Run:
        """Runs one job on the fork server it needs; raises SandboxBroken."""
        return self._route(job).run(job)

    def close(self) -> None:
        """Ends both; safe to call twice."""
        self.numpy.close()
        if self.torch is not None:
            self.torch.close()

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
