"""A grader without a fork server: a fresh interpreter in bubblewrap for every run.

It uses the bubblewrap command, harness, frames and cases of the site; only the waiting server,
the lock-down and the limits are missing, so the comparison flatters the fresh interpreter.
"""

import os
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
import os, sys
from quizzes.grader.inside.harness import do_job
from quizzes.grader.protocol.wire import Bounds, split
job, result = map(int, sys.argv[1:])
data = b"".join(iter(lambda: os.read(job, 1 << 20), b""))
frames = split(data, Bounds(1 << 22, 1 << 26))
do_job(next(frames), lambda frame: os.write(result, frame), lambda: next(frames))
"""


class FreshInterpreter:
    """Implements `Sandbox` by starting bubblewrap and Python for each job."""

    def __init__(self, profile: Profile) -> None:
        command = build_command(profile, control=0).arguments
        self._command = [*command[: command.index("-m")], "-c", SCRIPT]

    def run(self, job: Job) -> Run:
        """Start the process, send the job, read the whole result and wait for the end."""
        started = time.perf_counter()
        job_theirs, job_ours = os.pipe()
        result_ours, result_theirs = os.pipe()
        process = subprocess.Popen(
            [*self._command, str(job_theirs), str(result_theirs)],
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[job_theirs, result_theirs],
        )
        os.close(job_theirs)
        os.close(result_theirs)
        with open(job_ours, "wb") as pipe:
            pipe.write(b"".join(job.to_frames()))
        with open(result_ours, "rb") as pipe:
            data = pipe.read()
        seconds = time.perf_counter() - started
        process.wait()
        return Run(Ending.FINISHED, tuple(split(data, Bounds())), b"", seconds)
