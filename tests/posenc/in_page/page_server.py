"""A loopback server for a page that computes views: it hands out draws and takes in results.

Any browser can open it, so that a browser that no test drives (Firefox) is tried by the same page.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
STATIC = HERE.parents[2] / "static"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class PageServer(ThreadingHTTPServer):
    """Serves the page at `address`; `results` has what it sent for each draw."""

    def __init__(self, draws: list[dict[str, Any]]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.draws = draws
        self.results: dict[int, dict[str, Any]] = {}
        self.done = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/compute.html"


@contextmanager
def serving(draws: list[dict[str, Any]]) -> Iterator[PageServer]:
    with PageServer(draws) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        if self.path == "/draws":
            return self._answer(json.dumps(self.server.draws).encode(), "application/json")
        name = Path(self.path).name
        folder = HERE if self.path == f"/{name}" else STATIC / Path(self.path[1:]).parent
        file = (folder / name).resolve()
        known = file.is_relative_to(HERE) or file.is_relative_to(STATIC)
        if not (known and file.suffix in TYPES and file.is_file()):
            return self.send_error(404)
        return self._answer(file.read_bytes(), TYPES[file.suffix])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/done":
            self.server.done.set()
        else:
            self.server.results[int(self.path.rpartition("/")[2])] = _unpack(body)
        self._answer(b"", "text/plain")

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _unpack(body: bytes) -> dict[str, Any]:
    """Return what compute.js packed; arrays as numpy's, with their shapes."""
    size = int.from_bytes(body[:4], "little")
    numbers = np.frombuffer(body[4 + size :], dtype="<f8")
    begins = [0]

    def array(fields: dict[str, Any]) -> Any:
        if fields.keys() == {"array", "length"}:
            begins.append(begins[-1] + fields["length"])
            return numbers[begins[-2] : begins[-1]]
        if fields.keys() == {"shape", "data"}:
            return fields["data"].reshape(fields["shape"])
        return fields

    found: dict[str, Any] = json.loads(body[4 : 4 + size], object_hook=array)
    return found
