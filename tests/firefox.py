"""Drive the system's own Firefox by Marionette, the protocol that it speaks without a driver.

Playwright drives only Firefox builds of its own. Each message is its length, a colon and JSON:
`[0, number, command, parameters]` there, `[1, number, error, result]` back.
"""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser import find_firefox
from tests.whole_site import free_port

START_SECONDS = 120
PATIENCE_SECONDS = 60
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name by which WebDriver marks an element


class FirefoxError(Exception):
    """Firefox refused a command, or something did not come true in time."""


class Firefox:
    """One window of a running Firefox."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._number = 0
        self._receive()  # it says which protocol it speaks
        self._send("WebDriver:NewSession", {})

    def goto(self, address: str) -> None:
        """Open an address and wait until its page has loaded."""
        self._send("WebDriver:Navigate", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """Return what a script of the page returns; `arguments` has the arguments."""
        found = self._send("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})
        return found["value"]

    def click(self, selector: str) -> None:
        """Click the first element that can be seen, as a hand does, in the middle of the window."""
        element = self._visible(selector)
        middle = "arguments[0].scrollIntoView({ block: 'center' })"
        self.run(middle, {ELEMENT: element})
        self._send("WebDriver:ElementClick", {"id": element})

    def type(self, selector: str, text: str) -> None:
        """Send keys to the first element that can be seen."""
        self._send("WebDriver:ElementSendKeys", {"id": self._visible(selector), "text": text})

    def wait(self, condition: str, *arguments: object) -> None:
        """Wait until an expression of the page is true."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._is_true(condition, *arguments):
            if time.monotonic() > deadline:
                raise FirefoxError(f"never true: {condition} {arguments} at {self.address()}")
            time.sleep(0.1)

    def wait_to_see(self, selector: str) -> None:
        """Wait until an element can be seen."""
        self.wait(f"{_VISIBLE} !== null", selector)

    def address(self) -> str:
        return str(self._send("WebDriver:GetCurrentURL", {})["value"])

    def leave_by(self, selector: str) -> None:
        """Click what leads to another page, and wait for that page."""
        self.run("window.isLeft = true")
        self.click(selector)
        self.wait("window.isLeft !== true && document.readyState === 'complete'")

    def _is_true(self, condition: str, *arguments: object) -> bool:
        try:
            return bool(self.run(f"return {condition}", *arguments))
        except FirefoxError:  # the page is being left
            return False

    def _visible(self, selector: str) -> str:
        self.wait_to_see(selector)
        return str(self.run(f"return {_VISIBLE}", selector)[ELEMENT])

    def _send(self, command: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, parameters]).encode()
        self._connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise FirefoxError(f"{command} {parameters}: {error['error']}: {error['message']}")
        return result

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._read(1)
        return json.loads(self._read(int(length[:-1])))

    def _read(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            part = self._connection.recv(size - len(found))
            if not part:
                raise FirefoxError("Firefox has gone")
            found += part
        return found


_VISIBLE = (
    "([...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility()) ?? null)"
)


@contextmanager
def open_firefox(profile: Path) -> Iterator[Firefox]:
    """Start a Firefox without a window on the screen, with a profile of its own; end it after."""
    port = free_port()
    preferences = {"marionette.port": port, "browser.shell.checkDefaultBrowser": False}
    lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in preferences.items()]
    (profile / "user.js").write_text("\n".join(lines))
    asked = [find_firefox(), "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(asked, **quiet) as process:
        try:
            with _connect(port, process) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()


def _connect(port: int, process: "subprocess.Popen[bytes]") -> socket.socket:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
        except ConnectionRefusedError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise FirefoxError("Firefox does not answer") from None
            time.sleep(0.2)
