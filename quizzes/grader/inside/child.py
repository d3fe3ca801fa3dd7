"""The life of one child: tidy descriptors, lock down, say so, read the job, do it, leave.

The order is the whole point. A child inherits from the fork server the control socket, pidfds of
other children and whatever libraries opened: they are closed first, by number, none by name. It is
locked down before it has read a byte of its job, and says so on the result pipe before there can be
submitted code that might say it instead; whatever fails until then is our failure and ends the
process with a status of its own. After that nothing is undone: limits, Landlock and the system-call
filter hold for everything that runs in this process, our own harness included.

The job comes on descriptor 0, and hidden cases later on another one. Once the job is read,
descriptor 0 is /dev/null opened for writing, so code that reads it gets an error and no hidden case
that happens to be there. Our own modules go out of `sys.modules`, which leaves code no name to
import them by. That is tidiness, not a wall: our objects can be found by other ways, and
nothing that the judge believes depends on their being hidden.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from types import FrameType, ModuleType
from typing import Any, NoReturn

import ordinal_exercise  # noqa: F401 - authors import it where no file can be read
import quizzes.grader.case  # noqa: F401 - the same under its older name
from quizzes.grader.inside.confine import Confinement
from quizzes.grader.inside.failures import OutOfTime
from quizzes.grader.inside.harness import do_job
from quizzes.grader.inside.rehearsal import rehearse_plainly, rehearse_the_rest
from quizzes.grader.protocol.wire import PREFIX, Bounds, Frame, decode, frame_length

CONFINED = b"\x01"  # sent once the child is locked down and before it reads its job
COULD_NOT_CONFINE, HARNESS_FAILED = 97, 98
JOB_BOUNDS = Bounds(header=4 << 20, body=64 << 20)

OURS = ("quizzes", "ordinal_exercise")
# What cases.py may import, with the packages on the way to it: no file can be read by then.
AUTHORS_MODULES = ("ordinal_exercise", "quizzes", "quizzes.grader", "quizzes.grader.case")

IDLE_SECONDS = 0.06  # a busy worker's spare children have their jobs sooner

_JOB, _STDOUT, _STDERR, _RESULT, _RULESET, _NOWHERE = range(6)
_MORE = _RULESET  # which is closed by then: where the hidden cases will come from
_HIGH = 200  # above every descriptor the fork server holds


def get_ready() -> None:
    """Do, in the fork server, what every child can inherit."""
    _our_modules()


def live(
    pipes: Sequence[int], nowhere: int, limits: Mapping[str, Any], confinement: Confinement
) -> NoReturn:
    """Do a child's job and never return. `pipes` are the job, output and result descriptors."""
    try:
        job, output, result = pipes
        arrange_descriptors([job, output, output, result, confinement.ruleset, nowhere])
        _open_streams()
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # until there is code that it can stop
        confinement.put_on(limits, _RULESET)
        os.write(_RESULT, CONFINED)
    except BaseException as error:
        said = f"not confined: {error!r}\n".encode()
        # Where its standard error is depends on how far it got.
        for descriptor in (_STDERR, *pipes[1:2]):
            with contextlib.suppress(OSError):
                os.write(descriptor, said)
        os._exit(COULD_NOT_CONFINE)
    try:
        _wait_for_the_job()
        frame = _read_frame(_JOB)
        if frame.header["more"]:
            os.dup2(_JOB, _MORE)
        os.dup2(_NOWHERE, _JOB)  # /dev/null, open for writing: reading it again fails
        os.close(_NOWHERE)
        forget_the_project(keep_case=frame.header["task"] == "list_cases")
        results = Results()
        results.listen_for_the_limit()
        do_job(frame, results.send, _read_more)
        for descriptor in (_RESULT, _STDERR, _STDOUT):
            os.close(descriptor)  # end of file now: the judge need not wait for our memory to go
    except BaseException:
        os._exit(HARNESS_FAILED)
    os._exit(0)


def arrange_descriptors(descriptors: Sequence[int]) -> None:
    """Make the given descriptors 0, 1, 2 ... and close everything else.

    First all go high up: put at its place directly, one could overwrite another that is still to
    be moved.
    """
    for place, descriptor in enumerate(descriptors):
        os.dup2(descriptor, _HIGH + place, inheritable=False)
    os.closerange(0, _HIGH)
    for place in range(len(descriptors)):
        os.dup2(_HIGH + place, place)
    os.closerange(len(descriptors), _HIGH + len(descriptors))


def forget_the_project(keep_case: bool) -> None:
    """Let submitted code import nothing of the grader; authors' cases.py may import `Case`."""
    for name in _our_modules():
        if not (keep_case and name in AUTHORS_MODULES):
            sys.modules.pop(name, None)


@cache
def _our_modules() -> dict[str, ModuleType]:
    """Look our modules up by name, once, in the fork server.

    Going through all names of torch copies 8 ms of pages. The modules are kept with their names, as
    they are not to be taken apart when these are forgotten: 0.2 ms.
    """
    return {name: kept for name, kept in sys.modules.items() if name.split(".")[0] in OURS}


def _open_streams() -> None:
    sys.stdin = None  # there is nothing to read
    for name, descriptor in (("stdout", _STDOUT), ("stderr", _STDERR)):
        stream = open(  # noqa: SIM115 - lives as long as the process
            descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


class _JobIsThereError(BaseException):
    """Raised into a rehearsal, which would hold up the job for 40 ms with torch."""


def _wait_for_the_job() -> None:
    """Make this process warm while there is no job yet."""
    torch = "torch" in sys.modules
    if not _job_within(0):
        rehearse_plainly(torch=torch)
        if not _job_within(IDLE_SECONDS):
            with contextlib.suppress(_JobIsThereError):
                rehearse_the_rest(torch=torch, send=_look_for_the_job)


def _look_for_the_job(_frame: bytes) -> None:
    if _job_within(0):
        raise _JobIsThereError


def _job_within(seconds: float) -> bool:
    return bool(select.select([_JOB], [], [], seconds)[0])


class Results:
    """The way of the frames out; a stop waits until the one on its way is whole.

    Half a frame would make what comes after it look like rubbish that the code has written.
    """

    def __init__(self, descriptor: int = _RESULT) -> None:
        self._descriptor = descriptor
        self._sending = self._stopped = False

    def listen_for_the_limit(self) -> None:
        """Let the signal at the wall limit stop the code, so that the line can be named.

        The supervisor sends it before it kills.
        """
        signal.signal(signal.SIGALRM, self._stop)

    def send(self, data: bytes) -> None:
        """Write a frame; raises OutOfTime after it when the stop came meanwhile."""
        view = memoryview(data)
        self._sending = True
        while view:
            view = view[os.write(self._descriptor, view) :]
        self._sending = False
        if self._stopped:
            self._stopped = False
            raise OutOfTime

    def _stop(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._sending:
            raise OutOfTime
        self._stopped = True


def _read_more() -> Frame:
    frame = _read_frame(_MORE)
    os.close(_MORE)
    return frame


def _read_frame(descriptor: int) -> Frame:
    """Read one frame and no byte more: the next one comes when it is asked for."""
    data = bytearray()
    while (length := frame_length(memoryview(data), JOB_BOUNDS)) is None or len(data) < length:
        part = os.read(descriptor, (PREFIX.size if length is None else length) - len(data))
        if not part:
            raise EOFError("the job ends within a frame")
        data += part
    return decode(data, JOB_BOUNDS)
