"""The trusted side of one fork server: starting it, asking for children, hearing of their ends."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quizzes.grader.bubblewrap import OWN_PATH, build_command
from quizzes.grader.child import Child, Exit, open_child
from quizzes.grader.control import open_control
from quizzes.grader.errors import SandboxBroken, SandboxUnavailable
from quizzes.grader.job import Limits
from quizzes.grader.profiles import Profile
from quizzes.grader.seccomp import assemble, this_architecture

START_SECONDS = 60.0
SPAWN_SECONDS = 10.0
_GUESSED_BYTES = 1 << 30  # mapped by the fork server, where /proc does not tell


class ForkServer:
    """One bubblewrap with one fork server in it. Not for two threads at a time."""

    def __init__(self, profile: Profile) -> None:
        """Starts it without waiting for it; see `wait_until_ready`."""
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
                env={},  # --clearenv does not clean the environment of bubblewrap itself
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                pass_fds=[theirs.fileno()],
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
        """Whether waiting would return, or raise, at once."""
        gone = self._process.poll() is not None
        return bool(self.facts) or gone or self._control.has_news(0)

    def wait_until_ready(self) -> None:
        """Returns when it serves; raises SandboxUnavailable with what bubblewrap said."""
        if self.facts:
            return
        # Killed very early, bubblewrap leaves behind a half of itself that keeps our socket open.
        gone = self._process.poll() is not None
        try:
            message, _, pid = self._control.receive(0 if gone else START_SECONDS)
        except SandboxBroken as error:
            raise SandboxUnavailable(
                f"The sandbox did not start: {self._last_words() or error}",
                "`manage.py sandbox_check` says what this machine lacks.",
            ) from error
        if not message.get("ready"):
            raise SandboxUnavailable(
                f"The sandbox could not prepare itself: {message.get('failed')}",
                "`manage.py sandbox_check` says what this machine lacks.",
            )
        self.facts = message
        self.pid = pid
        self.address_bytes = _mapped_bytes(pid) or _GUESSED_BYTES

    def spawn(self, limits: Limits) -> Child:
        """Asks for a child and returns at once; `await_child` completes it."""
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
        """Waits until the child exists and has said that it is locked down."""
        deadline = time.monotonic() + SPAWN_SECONDS
        self._get_to_know(child)
        while child.pidfd < 0:
            self._listen(deadline - time.monotonic())
            self._get_to_know(child)
        child.go_on()
        ready, _, _ = select.select([child.result], [], [], max(0, deadline - time.monotonic()))
        if not ready or os.read(child.result, 1) != b"\x01":
            said = os.read(child.output, 4096) if ready else b"no answer"
            raise SandboxBroken(f"a child was not locked down: {said.decode(errors='replace')}")

    def hold(self, spares: Iterable[Child]) -> None:
        """Has those that exist by now stand still: what they rehearse can wait."""
        self._hear_news()
        for child in spares:
            self._get_to_know(child)
            child.hold()

    def exit_of(self, child: Child, seconds: float) -> Exit | None:
        """How a child ended, None when it lives on. A slow fork server's word is waited for."""
        if not select.select([child.pidfd], [], [], seconds)[0]:
            return None
        deadline = time.monotonic() + SPAWN_SECONDS
        while child.identity not in self._exits:
            self._listen(deadline - time.monotonic())
        return self._exits[child.identity]

    def forget(self, child: Child) -> None:
        """Kills the child if need be; its end interests nobody any more."""
        self._get_to_know(child)
        child.kill()
        child.close()
        if self._exits.pop(child.identity, None) is None:
            self._forgotten.add(child.identity)
        self._hear_news()

    def close(self) -> None:
        """Ends the fork server and with it, by the process namespace, every child."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._complaints.close()
        for pidfd in self._pidfds.values():
            os.close(pidfd)
        self._pidfds.clear()

    def _kernel_limits(self, limits: Limits) -> dict[str, float]:
        return {
            "address_bytes": self.address_bytes + (limits.memory_mb << 20),
            "cpu_seconds": limits.cpu_seconds,
        }

    def _get_to_know(self, child: Child) -> None:
        child.pidfd = max(child.pidfd, self._pidfds.pop(child.identity, -1))

    def _hear_news(self) -> None:
        while self._control.has_news(0):
            self._listen(0)

    def _listen(self, seconds: float) -> None:
        message, descriptors, _ = self._control.receive(max(0.0, seconds))
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


def _mapped_bytes(pid: int) -> int | None:
    """VmSize of a process, None where this machine does not show it."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    sizes = [line.split()[1] for line in text.splitlines() if line.startswith("VmSize:")]
    return int(sizes[0]) << 10 if sizes else None
