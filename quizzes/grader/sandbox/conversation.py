"""One conversation with one child: the job in, its result and output back, within limits.

The hidden cases are written once the child says that it is done with the shown ones. It may say so
at any time, so from that moment on nothing that it prints is kept: code can read hidden inputs in
its own process, and must not be able to tell them. The end of the result pipe is the end of the
conversation. Nobody waits for the process to go, unless the result is not complete: then how the
child died says whose fault it is.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator

from quizzes.grader.errors import MachineTooBusy, SandboxBroken
from quizzes.grader.protocol.job import Death, Ending, Limits, Run
from quizzes.grader.protocol.wire import BadFrame, Bounds, Frame, decode, frame_length
from quizzes.grader.sandbox.fork_server import PIPE_BYTES, Child, Exit, ForkServer
from quizzes.grader.sandbox.run_clock import HARD_END_SECONDS, RunClock

RESULT_BOUNDS = Bounds(header=64 << 10, body=16 << 20, items=4000)
OUTPUT_KEPT = 64 << 10
OUTPUT_KILLS = 1 << 20
RESULT_KILLS = 32 << 20
CHUNK = 1 << 18
DEATH_SECONDS = 5.0
EXIT_SECONDS = 0.3
GRACE_SECONDS = 0.2  # between the warning at the limit and the end


class Conversation:
    """The state of the conversation; `begin` and then `converse` have it."""

    def __init__(
        self, child: Child, clock: RunClock, job: Iterator[bytes], most_frames: int
    ) -> None:
        self.stream = FrameStream(RESULT_BOUNDS, most_frames)
        self.output = bytearray()
        self.stopped_by: Ending | None = None
        self.seconds = self.waited = 0.0
        self.in_time: int | None = None  # frames there before the warning, if there was one
        self._output_bytes = self._result_bytes = 0
        self._child = child
        self._frames = job
        self._job = memoryview(next(job))
        self._hidden: memoryview | None = None
        self._keeps_output = True
        self.clock = clock
        self._is_sent = False  # the clock starts then: no line of the code runs before
        self._limit = child.limits.wall_seconds
        self._hard_end = time.perf_counter() + HARD_END_SECONDS
        self._deadline = self._hard_end
        self._poll = select.poll()
        for descriptor in (child.job, child.output, child.result):
            os.set_blocking(descriptor, False)
        self._poll.register(child.job, select.POLLOUT)
        self._poll.register(child.output, select.POLLIN)
        self._poll.register(child.result, select.POLLIN)

    def begin(self) -> None:
        """Send as much of the job as the pipe takes: it may run while others are seen to."""
        self._write_job()

    def converse(self) -> None:
        """Go on to the end of the result; raises SandboxBroken when a child cannot be killed."""
        child, open_result = self._child, True
        hidden = next(self._frames, None)  # made while the child is at work on the first
        self._hidden = None if hidden is None else memoryview(hidden)
        while open_result:
            left = self._deadline - time.perf_counter()
            if left <= 0 and not self._pass_deadline():
                break
            for descriptor, _ in self._poll.poll(max(0.0, left) * 1000 + 1):
                if descriptor == child.job:
                    self._write_job()
                elif descriptor == child.output:
                    self._read_output()
                elif descriptor == child.result:
                    open_result = self._read_result()
        if self.stopped_by is None:
            self._note_time()
        while self._read_output():
            continue

    def _pass_deadline(self) -> bool:
        """Give more time for what it waited, else warn it, then end it, then raise SandboxBroken.

        What is still there after its end cannot be killed. Return False when the end of the result
        was there already, only not read yet.
        """
        if self.stopped_by is not None:
            raise SandboxBroken("a child could not be killed")
        for _ in range(PIPE_BYTES // CHUNK + 1):
            if not self._read_result():
                return False
        if self.stopped_by is not None or self._move_deadline():
            return True
        if self.in_time is not None:
            self._stop(Ending.TIME_LIMIT)
            return True
        self.in_time = len(self.stream.frames)
        self._child.warn()
        self._limit += GRACE_SECONDS
        self._move_deadline()
        return True

    def _move_deadline(self) -> bool:
        """Say whether code has time left; raises MachineTooBusy when it has, but the worker not."""
        if not self._is_sent:
            raise SandboxBroken("a child did not read its job")
        left, now = self.clock.left(self._limit), time.perf_counter()
        self._deadline = min(now + left, self._hard_end)
        if left > 0 and now >= self._hard_end and self.in_time is None:
            waited = self.clock.waited()
            raise MachineTooBusy(
                f"the machine was too busy: the code waited {waited:.1f} of "
                f"{HARD_END_SECONDS:g} s for a processor"
            )
        return left > 0 and now < self._hard_end

    def _stop(self, ending: Ending) -> None:
        if self.stopped_by is None:
            self.stopped_by = ending
            self._note_time()
            self._deadline = time.perf_counter() + DEATH_SECONDS
            self._child.kill()

    def _note_time(self) -> None:
        self.seconds, self.waited = self.clock.seconds(), self.clock.waited()

    def _write_job(self) -> None:
        try:
            self._job = self._job[os.write(self._child.job, self._job[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._job = self._job[:0]
        if not self._job:
            self._poll.unregister(self._child.job)
            if not self._is_sent:
                self._is_sent = True
                self.clock.start()
                self._move_deadline()

    def _send_hidden(self, frame: memoryview) -> None:
        """Send the hidden cases; what was printed until now was printed without knowing them."""
        for _ in range(PIPE_BYTES // CHUNK + 1):
            if not self._read_output():
                break
        self._keeps_output = False
        self._job, self._hidden = frame, None
        self._poll.register(self._child.job, select.POLLOUT)
        self._write_job()

    def _read_output(self) -> bool:
        """Read what there is; False when there is nothing more at present."""
        data = _read(self._child.output)
        if not data:
            if data == b"":
                self._forget_output()
            return False
        self._output_bytes += len(data)
        if self._keeps_output:
            self.output += data[: max(0, OUTPUT_KEPT - len(self.output))]
        if self._output_bytes > OUTPUT_KILLS:
            self._stop(Ending.OUTPUT_LIMIT)
        return True

    def _read_result(self) -> bool:
        """Read what there is; False at the end of the result."""
        data = _read(self._child.result)
        if data is None:
            return True
        self._result_bytes += len(data)
        if self._result_bytes > RESULT_KILLS:
            self._stop(Ending.RESULT_LIMIT)
        else:
            self.stream.feed(data)
            self.clock.look()  # after the last frame the process may be gone
        if self.stream.asks_for_hidden and self._hidden is not None and not self._job:
            self._send_hidden(self._hidden)
        return bool(data)

    def _forget_output(self) -> None:
        try:
            self._poll.unregister(self._child.output)
        except KeyError:
            return  # its end was seen before


def run_of(server: ForkServer, child: Child, conversation: Conversation) -> Run:
    """Return what came of a conversation that is over. Raises as `explain_death` does."""
    frames, in_time = conversation.stream.frames, conversation.in_time
    ending, detail = conversation.stopped_by, conversation.stream.defect
    seconds, waited = conversation.seconds, conversation.waited
    death = None
    if ending is None and detail:
        ending = Ending.GARBLED
    if ending is None and frames and frames[-1].header.get("kind") == "end":
        ending = Ending.FINISHED
    if ending is None:
        death = explain_death(await_exit(server, child, conversation.clock), child.limits)
        if in_time is not None:  # of the stop, wherever it met it
            death = None
        ending = Ending.TIME_LIMIT if death is None else Ending.DIED
    output = bytes(conversation.output)
    return Run(ending, tuple(frames), output, seconds, detail, in_time, death, waited)


def await_exit(server: ForkServer, child: Child, clock: RunClock) -> Exit | None:
    """Return how it ended, None when it goes on.

    One that waits for a processor may be about to end.
    """
    clock.start()
    deadline = time.perf_counter() + DEATH_SECONDS
    while (left := clock.left(EXIT_SECONDS)) > 0 and time.perf_counter() < deadline:
        exited = server.exit_of(child, left)
        if exited is not None:
            return exited
    return None


def explain_death(exited: Exit | None, limits: Limits) -> Death | None:
    """Say how it died, None: of the time limit. Raises SandboxBroken if somebody else killed it."""
    if exited is None:
        return Death()
    status = exited.status
    if os.WIFEXITED(status):
        return Death(exit_code=os.WEXITSTATUS(status))
    number = os.WTERMSIG(status)
    killed = number == signal.SIGKILL
    if number == signal.SIGXCPU or (killed and exited.cpu_seconds >= limits.cpu_seconds):
        return None
    if killed:  # neither we nor its limits, such as a machine out of memory: it is not the code's
        raise SandboxBroken("a child was killed from outside the sandbox")
    name = f"signal {number}"
    with contextlib.suppress(ValueError):
        name = signal.Signals(number).name
    return Death(signal=name)


def _read(descriptor: int) -> bytes | None:
    try:
        return os.read(descriptor, CHUNK)
    except BlockingIOError:
        return None


ASKS_FOR_HIDDEN = "hidden"  # the kind of the frame that says the shown cases are done


class FrameStream:
    """`frames` so far; `defect` says why there will be no more, "" while there may be.

    `asks_for_hidden`: a frame has said that the shown cases are done.
    """

    def __init__(self, bounds: Bounds, most_frames: int) -> None:
        self.frames: list[Frame] = []
        self.defect = ""
        self.asks_for_hidden = False
        self._bounds = bounds
        self._most_frames = most_frames
        self._rest = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes, cut anywhere; none are looked at after a defect."""
        if self.defect:
            return
        self._rest += data
        try:
            while frame := self._next():
                self.frames.append(frame)
                self.asks_for_hidden |= frame.header.get("kind") == ASKS_FOR_HIDDEN
        except BadFrame as error:
            self.defect = str(error)
            self._rest.clear()

    def _next(self) -> Frame | None:
        with memoryview(self._rest) as view:
            length = frame_length(view, self._bounds)
            if length is None or length > len(view):
                return None
            whole = bytes(view[:length])
        if len(self.frames) == self._most_frames:
            raise BadFrame(f"there are more than {self._most_frames} frames")
        del self._rest[:length]
        return decode(whole, self._bounds)
