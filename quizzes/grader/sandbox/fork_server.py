"""The trusted side of one fork server: starting it, asking for children, hearing of their ends.

The fork server is told over a control socket to make a child, with the ends of three pipes, and
says when the child exists and when it ended. It is not asked for anything else: a job goes into
the child's own pipe, results and output come out of the child's own pipes, and they never pass the
process that all children are copies of. A child closes the control socket before it is locked down,
so submitted code cannot give orders or make up messages.

A process number is not a process: the numbers of the sandbox are those of another namespace, and a
number can be somebody else's a moment later. So a child is named by our own number, and killed by
a pidfd, which comes with the message that it exists. Orders are sent without waiting for their
answers, hence the bookkeeping: an end may be heard of a child that was forgotten long ago, and a
birth after it was given up.

The fork server must not outlive us. It hangs up when the socket closes, bubblewrap dies with the
thread that started it (`--die-with-parent`), and with bubblewrap the process namespace and all
children in it.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import json
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.protocol.job import Limits
from quizzes.grader.sandbox.bubblewrap import OWN_PATH, build_command
from quizzes.grader.sandbox.profiles import Profile
from quizzes.grader.sandbox.seccomp import assemble, this_architecture

START_SECONDS = 60.0
SPAWN_SECONDS = 10.0
LEAST_FILES = 256  # a child moves its pipes above 200 before it closes all that it inherited
MESSAGE_BYTES = 64 << 10
PIPE_BYTES = 1 << 20
_GUESSED_BYTES = 1 << 30  # mapped by the fork server, where /proc does not tell
_CREDENTIALS = struct.Struct("iII")  # process, user and group number


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
        """Tell the running code to stop, so that it can say where it was."""
        self._signal(signal.SIGALRM)

    def hold(self) -> None:
        """Have it stand still until `go_on`; do nothing while its pidfd is not known."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End `hold`; harmless without one."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it, whatever it does."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """Close every descriptor that is still open."""
        for name in ("job", "output", "result", "pidfd"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal by pidfd: a recycled process number cannot be hit."""
        if self.pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.pidfd, number)


@dataclass(frozen=True)
class Exit:
    """How a child ended: the status that waiting for it gave, and the processor time it took."""

    status: int
    cpu_seconds: float


def open_child(identity: int, limits: Limits) -> tuple[Child, list[int]]:
    """Make a child to be, and the ends of its pipes (job, output, result) to be sent to it."""
    job_theirs, job = os.pipe2(os.O_CLOEXEC)
    output, output_theirs = os.pipe2(os.O_CLOEXEC)
    result, result_theirs = os.pipe2(os.O_CLOEXEC)
    with contextlib.suppress(OSError):  # the share of this user may be used up
        fcntl.fcntl(result_theirs, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    theirs = [job_theirs, output_theirs, result_theirs]
    return Child(identity, limits, job, output, result), theirs


class Control:
    """Our end. Every failure is SandboxBroken: student code never holds the other end."""

    def __init__(self, ours: socket.socket) -> None:
        self._socket = ours

    def send(self, message: Mapping[str, Any], descriptors: Sequence[int] = ()) -> None:
        """Send one message, with descriptors if need be."""
        try:
            socket.send_fds(self._socket, [json.dumps(message).encode()], list(descriptors))
        except OSError as error:
            raise SandboxBroken(f"the fork server does not accept requests: {error}") from error

    def has_news(self, seconds: float) -> bool:
        """Say whether a message, or the end, arrives in time."""
        return bool(select.select([self._socket], [], [], seconds)[0])

    def receive(self, seconds: float) -> tuple[dict[str, Any], list[int], int]:
        """Take one message, its descriptors, and the sender's process as this machine sees it."""
        if not self.has_news(seconds):
            raise SandboxBroken(f"the fork server was silent for {seconds:.1f} s")
        space = socket.CMSG_SPACE(4) + socket.CMSG_SPACE(_CREDENTIALS.size)
        try:
            data, ancillary, _, _ = self._socket.recvmsg(MESSAGE_BYTES, space)
        except OSError as error:
            raise SandboxBroken(f"the fork server hung up: {error}") from error
        if not data:
            raise SandboxBroken("the fork server hung up")
        descriptors, pid = array.array("i"), 0
        for _, kind, content in ancillary:
            if kind == socket.SCM_RIGHTS:
                descriptors.frombytes(content)
            elif kind == socket.SCM_CREDENTIALS:
                pid = _CREDENTIALS.unpack(content)[0]
        return json.loads(data), list(descriptors), pid

    def close(self) -> None:
        """Hang up, upon which the fork server ends."""
        self._socket.close()


def open_control() -> tuple[Control, socket.socket]:
    """Open our end, and theirs to inherit; messages to us carry the sender's process number."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return Control(ours), theirs


class ForkServer:
    """One bubblewrap with one fork server in it. Not for two threads at a time."""

    def __init__(self, profile: Profile) -> None:
        """Start it without waiting for it; see `wait_until_ready`."""
        _refuse_few_files()
        self.facts: Mapping[str, Any] = {}
        self.pid = 0
        self.address_bytes = _GUESSED_BYTES
        self._next_identity = 0
        self._pidfds: dict[int, int] = {}
        self._exits: dict[int, Exit] = {}
        self._forgotten: set[int] = set()
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._control, theirs = open_control()
        with theirs:
            command = build_command(profile, theirs.fileno())
            self._process = subprocess.Popen(  # noqa: S603 - our own command line
                command.arguments,
                env={"PATH": "/usr/bin:/bin"},  # --clearenv does not clean bubblewrap's own
                stdin=subprocess.PIPE,  # its end is our end: see bubblewrap._LAUNCH
                bufsize=0,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # a signal to our whole group must not end the launcher
            )
        orders = {
            "filter": assemble(this_architecture()).hex(),
            "readable": command.readable,
            "preload": profile.preload,
            "own_path": OWN_PATH,
        }
        with contextlib.suppress(SandboxBroken):  # gone already: wait_until_ready says why
            self._control.send(orders)

    def is_ready(self) -> bool:
        """Say whether waiting would return, or raise, at once."""
        gone = self._process.poll() is not None
        return bool(self.facts) or gone or self._control.has_news(0)

    def wait_until_ready(self) -> None:
        """Wait until it serves; raises SandboxUnavailable with what bubblewrap said."""
        if self.facts:
            return
        # Killed very early by somebody else, bubblewrap leaves a half that keeps our socket open.
        gone = self._process.poll() is not None
        try:
            message, _, pid = self._control.receive(0 if gone else START_SECONDS)
        except SandboxBroken as error:
            raise SandboxUnavailable(
                f"The sandbox did not start: {self._last_words() or error}",
                "Run `manage.py sandbox_check` to see what this machine lacks.",
            ) from error
        if not message.get("ready"):
            raise SandboxUnavailable(
                f"The sandbox could not prepare itself: {message.get('failed')}",
                "Run `manage.py sandbox_check` to see what this machine lacks.",
            )
        self.facts = message
        self.pid = pid
        self.address_bytes = _mapped_bytes(pid) or _GUESSED_BYTES

    def spawn(self, limits: Limits) -> Child:
        """Ask for a child and return at once; `await_child` completes it."""
        self._next_identity += 1
        child, theirs = open_child(self._next_identity, limits)
        order = {"spawn": child.identity, "limits": self._kernel_limits(limits)}
        try:
            self._control.send(order, theirs)
        except SandboxBroken:
            child.close()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        return child

    def await_child(self, child: Child) -> None:
        """Wait until the child exists and has said that it is locked down."""
        deadline = time.monotonic() + SPAWN_SECONDS
        self._get_to_know(child)
        while child.pidfd < 0:
            self._listen(deadline - time.monotonic())
            self._get_to_know(child)
        child.go_on()
        ready, _, _ = select.select([child.result], [], [], max(0, deadline - time.monotonic()))
        if not ready or os.read(child.result, 1) != b"\x01":
            said = os.read(child.output, 4096) if ready else b"no answer"
            words = said.decode(errors="replace").strip() or "it ended without a message"
            raise SandboxBroken(f"a child was not locked down: {words}")

    def hold(self, spares: Iterable[Child]) -> None:
        """Have those that exist by now stand still: what they rehearse can wait."""
        self._hear_news()
        for child in spares:
            self._get_to_know(child)
            child.hold()

    def exit_of(self, child: Child, seconds: float) -> Exit | None:
        """Return how a child ended, None if it lives on; wait for a slow fork server's word."""
        if not select.select([child.pidfd], [], [], seconds)[0]:
            return None
        deadline = time.monotonic() + SPAWN_SECONDS
        while child.identity not in self._exits:
            self._listen(deadline - time.monotonic())
        return self._exits[child.identity]

    def forget(self, child: Child) -> None:
        """Kill the child if need be; its end interests nobody any more."""
        self._get_to_know(child)
        child.kill()
        child.close()
        if self._exits.pop(child.identity, None) is None:
            self._forgotten.add(child.identity)
        self._hear_news()

    def close(self) -> None:
        """End the fork server and with it, by the process namespace, every child."""
        self._control.close()
        assert self._process.stdin is not None
        if self.facts:  # set up: nothing of it outlives a kill
            with contextlib.suppress(OSError):
                self._process.stdin.write(b"\n")
        self._process.stdin.close()
        self._process.wait()
        self._complaints.close()
        for pidfd in self._pidfds.values():
            os.close(pidfd)
        self._pidfds.clear()

    def _kernel_limits(self, limits: Limits) -> dict[str, float]:
        address_bytes = self.address_bytes + (limits.memory_mb << 20)
        _refuse_few_addresses(address_bytes)
        return {
            "address_bytes": address_bytes,
            "cpu_seconds": limits.cpu_seconds,
        }

    def _get_to_know(self, child: Child) -> None:
        child.pidfd = max(child.pidfd, self._pidfds.pop(child.identity, -1))

    def _hear_news(self) -> None:
        while self._control.has_news(0):
            self._listen(0)

    def _listen(self, seconds: float) -> None:
        message, descriptors, _ = self._control.receive(max(0.0, seconds))
        if "spawned" in message and not descriptors:  # the kernel drops what has no room
            raise SandboxBroken("a child could not be taken over: too many open files")
        if message.get("spawned") in self._forgotten:
            os.close(descriptors[0])  # a spare nobody waited for; it ends at the end of its job
        elif "spawned" in message:
            self._pidfds[message["spawned"]] = descriptors[0]
        elif "exited" in message:
            if message["exited"] in self._forgotten:
                self._forgotten.discard(message["exited"])
            else:
                self._exits[message["exited"]] = Exit(message["status"], message["cpu_seconds"])
        else:
            raise SandboxBroken(f"the fork server failed: {message.get('failed', message)}")

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._complaints.seek(0)
        return self._complaints.read(4000).decode(errors="replace").strip()


def _refuse_few_files() -> None:
    """Raise SandboxUnavailable where our limit of descriptors is below LEAST_FILES.

    The child inherits our limit, and beyond it would hear of a bad descriptor alone.
    """
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files != resource.RLIM_INFINITY and files < LEAST_FILES:
        raise SandboxUnavailable(
            f"The sandbox needs {LEAST_FILES} file descriptors, but this process is limited to"
            f" {files}.",
            "Raise the limit: LimitNOFILE= in the systemd unit, `ulimit -n` in a shell.",
        )


def _refuse_few_addresses(needed: int) -> None:
    """Raise SandboxUnavailable where our limit of address space is below `needed`, in bytes.

    The child inherits our limit and would hear that it may not be raised, and not of what.
    """
    allowed = resource.getrlimit(resource.RLIMIT_AS)[1]
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raise SandboxUnavailable(
            f"The sandbox needs {needed >> 20} MB of address space for this code, but this process"
            f" is limited to {allowed >> 20} MB.",
            "Raise the limit: LimitAS= in the systemd unit, `ulimit -v` in a shell.",
        )


def _mapped_bytes(pid: int) -> int | None:
    """Return VmSize of a process in bytes, None where this machine does not show it."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    sizes = [line.split()[1] for line in text.splitlines() if line.startswith("VmSize:")]
    return int(sizes[0]) << 10 if sizes else None
