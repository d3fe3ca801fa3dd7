"""How a run ended, from what its child said and how it went."""

from __future__ import annotations

import contextlib
import os
import signal

from quizzes.grader.child import Child, Exit
from quizzes.grader.errors import SandboxBroken
from quizzes.grader.exchange import Exchange
from quizzes.grader.job import Ending, Limits, Run
from quizzes.grader.server import ForkServer

EXIT_SECONDS = 0.3


def run_of(server: ForkServer, child: Child, exchange: Exchange) -> Run:
    """What came of a conversation that is over. Raises as `explain_death` does."""
    frames, in_time = exchange.stream.frames, exchange.in_time
    ending, detail = exchange.stopped_by, exchange.stream.defect
    if ending is None and detail:
        ending = Ending.GARBLED
    if ending is None and frames and frames[-1].header.get("kind") == "end":
        ending = Ending.FINISHED
    if ending is None:
        ending, detail = explain_death(server.exit_of(child, EXIT_SECONDS), child.limits)
        if ending is Ending.DIED and in_time is not None:  # of the stop, wherever it met it
            ending, detail = Ending.TIME_LIMIT, ""
    return Run(ending, tuple(frames), bytes(exchange.output), exchange.seconds, detail, in_time)


def explain_death(exited: Exit | None, limits: Limits) -> tuple[Ending, str]:
    """Raises SandboxBroken when somebody else killed it."""
    if exited is None:
        return Ending.DIED, "it closed its result channel"
    status = exited.status
    if os.WIFEXITED(status):
        return Ending.DIED, f"it ended the interpreter with exit code {os.WEXITSTATUS(status)}"
    number = os.WTERMSIG(status)
    killed = number == signal.SIGKILL
    if number == signal.SIGXCPU or (killed and exited.cpu_seconds >= limits.cpu_seconds):
        return Ending.TIME_LIMIT, ""
    if killed:  # neither we nor its limits, such as a machine out of memory: it is not the code's
        raise SandboxBroken("a child was killed from outside the sandbox")
    name = f"signal {number}"
    with contextlib.suppress(ValueError):
        name = signal.Signals(number).name
    return Ending.DIED, f"the interpreter crashed ({name})"
