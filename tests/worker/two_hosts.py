"""Hosts on one machine: network namespaces, each with a name, a clock and a cable to the database.

Root alone may make them. Between host and database stands a switch, in a namespace of its own, and
a host is cut off by taking its port away there: what either side sends is lost on the way, as in a
network that fails, and nobody is told that a connection has ended. A packet that is dropped where
it is sent would count as local congestion: TCP then waits longer before it gives up.

Linux has no namespace for the wall clock, so libfaketime gives each Python process its own. The
sandbox sees nothing of our environment or files: on a host, `bwrap` is a script that hands both to
the real one.
"""

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

PLACES = "/usr/lib*/**/libfaketimeMT.so.1"
# Before --clearenv bubblewrap would drop the settings, and it takes no file once / is read-only.
BUBBLEWRAP = """#!/bin/sh
for argument; do
  shift
  set -- "$@" "$argument"
  [ "$argument" = --clearenv ] && set -- "$@" {given}
done
exec {bubblewrap} "$@"
"""


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

    @property
    def switch(self) -> str:
        return f"{self.name}-switch"

    def set_up(self) -> None:
        for namespace in (self.name, self.switch):
            run("ip", "netns", "add", namespace)
        veth = ("type", "veth", "peer", "name")
        run("ip", "link", "add", self.cable, *veth, "port0", "netns", self.switch)
        run("ip", "-n", self.switch, "link", "add", "port1", *veth, "eth0", "netns", self.name)
        run("ip", "-n", self.switch, "link", "add", "bridge", "type", "bridge")
        self._plug("port0", "port1")
        for device in ("port0", "port1", "bridge"):
            run("ip", "-n", self.switch, "link", "set", device, "up")
        run("ip", "address", "add", f"{self.address_of_the_database}/30", "dev", self.cable)
        run("ip", "link", "set", self.cable, "up")
        address = f"198.18.{self.number}.2/30"
        run("ip", "-n", self.name, "address", "add", address, "dev", "eth0")
        for device in ("eth0", "lo"):
            run("ip", "-n", self.name, "link", "set", device, "up")

    def take_down(self) -> None:
        subprocess.run(["ip", "link", "delete", self.cable], check=False, capture_output=True)
        for namespace in (self.name, self.switch):
            command = ["ip", "netns", "delete", namespace]
            subprocess.run(command, check=False, capture_output=True)

    def cut(self) -> None:
        run("ip", "-n", self.switch, "link", "set", "port1", "nomaster")

    def mend(self) -> None:
        """Let packets through again; a host that is not cut off stays so."""
        self._plug("port1")

    def _plug(self, *ports: str) -> None:
        for port in ports:
            run("ip", "-n", self.switch, "link", "set", port, "master", "bridge")

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
            "PATH": f"{self._programs(folder)}:{os.environ['PATH']}",
            **self._clock(),
        }

    def _clock(self) -> dict[str, str]:
        return {"FAKETIME": f"{self.clock_seconds:+d}", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}

    def _programs(self, folder: Path) -> Path:
        """Make a folder with a `bwrap` that gives a sandbox the clock of this host."""
        programs = folder / f"{self.name}-programs"
        programs.mkdir(exist_ok=True)
        inside = "/clock.so"
        given = ["--ro-bind", library(), inside]
        # A sandbox has no /dev/shm, where processes would agree on the clock.
        settings = {"LD_PRELOAD": inside, "FAKETIME_DISABLE_SHM": "1", **self._clock()}
        for name, value in settings.items():
            given += ["--setenv", name, value]
        script = programs / "bwrap"
        real = shutil.which("bwrap") or "bwrap"
        script.write_text(BUBBLEWRAP.format(given=" ".join(given), bubblewrap=real))
        script.chmod(0o755)
        return programs


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
