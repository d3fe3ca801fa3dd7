"""The trusted side of one child: our ends of its pipes, and the handle to kill it by."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
from dataclasses import dataclass

from quizzes.grader.job import Limits

PIPE_BYTES = 1 << 20


@dataclass(eq=False)
class Child:
    """A locked-down process, our ends of its pipes, and its pidfd once it is known."""

    identity: int
    limits: Limits
    job: int
    output: int
    result: int
    pidfd: int = -1

    def warn(self) -> None:
        """Tells the running code to stop, so that it can say where it was."""
        self._signal(signal.SIGALRM)

    def hold(self) -> None:
        """Has it stand still until `go_on`; nothing while its pidfd is not known."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """The end of `hold`; harmless without one."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """Ends it, whatever it does."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """Closes every descriptor that is still open."""
        for name in ("job", "output", "result", "pidfd"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)

    def close_job(self) -> None:
        """End of file for the job."""
        if self.job >= 0:
            os.close(self.job)
            self.job = -1

    def _signal(self, number: signal.Signals) -> None:
        """By pidfd: a recycled process number cannot be hit."""
        if self.pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)


@dataclass(frozen=True)
class Exit:
    """How a child ended: the status that waiting for it gave, and the processor time it took."""

    status: int
    cpu_seconds: float


def open_child(identity: int, limits: Limits) -> tuple[Child, list[int]]:
    """A child to be, and the ends of its pipes (job, output, result) that must be sent to it."""
    job_theirs, job = os.pipe2(os.O_CLOEXEC)
    output, output_theirs = os.pipe2(os.O_CLOEXEC)
    result, result_theirs = os.pipe2(os.O_CLOEXEC)
    with contextlib.suppress(OSError):  # the share of this user may be used up
        fcntl.fcntl(result_theirs, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    theirs = [job_theirs, output_theirs, result_theirs]
    return Child(identity, limits, job, output, result), theirs
