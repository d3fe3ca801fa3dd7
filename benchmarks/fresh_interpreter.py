"""A grader without a fork server: a fresh interpreter in bubblewrap for every run.

It uses the bubblewrap command, harness, frames and cases of the site; only the waiting server,
the lock-down and the limits are missing, so the comparison flatters the fresh interpreter.
"""

import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from quizzes.grader.protocol.job import Ending, Job, Run  # noqa: E402
from quizzes.grader.protocol.wire import Bounds, split  # noqa: E402
from quizzes.grader.sandbox.bubblewrap import build_command  # noqa: E402
from quizzes.grader.sandbox.profiles import Profile  # noqa: E402

SCRIPT = """
import socket, sys
from quizzes.grader.inside.harness import do_job
from quizzes.grader.protocol.wire import Bounds, split
with socket.socket(fileno=int(sys.argv[1])) as wire:
    data = b"".join(iter(lambda: wire.recv(1 << 20), b""))
    frames = split(data, Bounds(1 << 22, 1 << 26))
    do_job(next(frames), wire.sendall, lambda: next(frames))
"""


class FreshInterpreter:
    """Implements `Sandbox` by starting bubblewrap and Python for each job."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def run(self, job: Job) -> Run:
        """Start the process, send the job, read the whole result and wait for the end.

        Job and result travel on one socket in place of the control socket: the launcher takes a
        descriptor for itself, and avoids that one alone. Its standard input is a pipe that stays
        open until the end, since it kills the sandbox a second after that pipe is closed.
        """
        started = time.perf_counter()
        ours, theirs = socket.socketpair()
        with ours, theirs:
            process = subprocess.Popen(
                self._command(theirs.fileno()),
                env={},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
            theirs.close()
            ours.sendall(b"".join(job.to_frames()))
            ours.shutdown(socket.SHUT_WR)
            data = b"".join(iter(lambda: ours.recv(1 << 20), b""))
        seconds = time.perf_counter() - started
        process.wait()
        assert process.stdin
        process.stdin.close()
        return Run(Ending.FINISHED, tuple(split(data, Bounds())), b"", seconds)

    def _command(self, wire: int) -> list[str]:
        command = build_command(self._profile, control=wire).arguments
        return [*command[: command.index("-m")], "-c", SCRIPT, str(wire)]
