"""Hosts on one machine: network namespaces, each with a name, a clock and a cable to the database.

Root alone may make them. A cable is cut in both directions and without a word: what is sent is
lost, as in a network that fails, and nobody is told that a connection has ended. Linux has no
namespace for the wall clock, so libfaketime gives each Python process its own; the sandbox is
started without our environment and keeps the machine's.
"""

import os
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CUT = ("tbf", "rate", "8bit", "burst", "1", "latency", "1ms")  # drops every packet
PLACES = "/usr/lib*/**/libfaketimeMT.so.1"


class NotAllowed(Exception):  # noqa: N818 -- the reason for which a test is skipped
    """This machine does not let us make hosts; `str()` names the call that was refused."""


def run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NotAllowed(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")


@dataclass
class Host:
    """`number`: of its network, 198.18.<number>.0/30, which is kept for tests of networks."""

    number: int
    clock_seconds: int
    name: str = field(default_factory=lambda: f"ordinal-{uuid.uuid4().hex[:8]}")

    @property
    def address_of_the_database(self) -> str:
        return f"198.18.{self.number}.1"

    @property
    def cable(self) -> str:
        return f"cable{self.name[-8:]}"

    def set_up(self) -> None:
        run("ip", "netns", "add", self.name)
        run(
            *("ip", "link", "add", self.cable, "type", "veth"),
            *("peer", "name", "eth0", "netns", self.name),
        )
        run("ip", "address", "add", f"{self.address_of_the_database}/30", "dev", self.cable)
        run("ip", "link", "set", self.cable, "up")
        self._inside("ip", "address", "add", f"198.18.{self.number}.2/30", "dev", "eth0")
        self._inside("ip", "link", "set", "eth0", "up")
        self._inside("ip", "link", "set", "lo", "up")

    def take_down(self) -> None:
        subprocess.run(["ip", "link", "delete", self.cable], check=False, capture_output=True)
        subprocess.run(["ip", "netns", "delete", self.name], check=False, capture_output=True)

    def cut(self) -> None:
        run("tc", "qdisc", "replace", "dev", self.cable, "root", *CUT)
        self._inside("tc", "qdisc", "replace", "dev", "eth0", "root", *CUT)

    def mend(self) -> None:
        """Let packets through again; a cable that is whole stays so."""
        off = ("tc", "qdisc", "replace", "dev")
        run(*off, self.cable, "root", "pfifo")
        self._inside(*off, "eth0", "root", "pfifo")

    def command(self) -> list[str]:
        """Return what to put before a command that is to run on this host."""
        named = 'hostname "$0" && exec "$@"'
        return [
            *("ip", "netns", "exec", self.name),
            *("unshare", "--uts", "--", "sh", "-c", named, self.name),
        ]

    def environment(self, url: str, folder: Path) -> dict[str, str]:
        """Return the settings of a program on this host; `url` is of a database on a socket."""
        before, _, _ = url.partition("?")
        place = before.replace("@/", f"@{self.address_of_the_database}/")
        return {
            "DATABASE_URL": place,
            "ORDINAL_VAR": str(folder / self.name),
            "LD_PRELOAD": library(),
            "FAKETIME": f"{self.clock_seconds:+d}",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def _inside(self, *command: str) -> None:
        run("ip", "netns", "exec", self.name, *command)


def library() -> str:
    """Return the file of libfaketime for programs with threads."""
    found = sorted(Path("/").glob(PLACES.removeprefix("/")))
    if not found:
        raise NotAllowed(f"libfaketime is not installed: there is no {PLACES}")
    return str(found[0])


@contextmanager
def hosts(*made: Host) -> Iterator[None]:
    """Set them up; NotAllowed where the machine forbids that."""
    if os.geteuid() != 0:
        raise NotAllowed("network namespaces are made by root alone")
    library()
    with ExitStack() as stack:
        for host in made:
            stack.callback(host.take_down)
            host.set_up()
        yield
