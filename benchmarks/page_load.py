"""Pages under load: 16 connections that ask for one page again and again."""

import re
import socket
import threading
import time
from dataclasses import dataclass

CONNECTIONS = 16
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)\r\n", re.IGNORECASE)


@dataclass(frozen=True)
class Load:
    """One page under load: answers a second, bytes of its HTML before compression, answers."""

    rate: float
    html: int
    answers: int


def load(port: int, path: str, *, cookie: str, seconds: float) -> Load:
    """Ask for a page on all connections for a while. Raises RuntimeError if it is not answered."""
    html, _ = _Connection(port, path, cookie, compressed=False).ask()
    counts: list[int] = []
    end = time.perf_counter() + seconds

    def client() -> None:
        connection, count = _Connection(port, path, cookie), 0
        while time.perf_counter() < end:
            connection.ask()
            count += 1
        counts.append(count)

    threads = [threading.Thread(target=client) for _ in range(CONNECTIONS)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(counts) < CONNECTIONS:
        raise RuntimeError(f"{path}: {CONNECTIONS - len(counts)} connections were not answered")
    return Load(sum(counts) / (time.perf_counter() - started), html, sum(counts))


class _Connection:
    """A connection that stays open: plain sockets, since client libraries take too long."""

    def __init__(self, port: int, path: str, cookie: str, *, compressed: bool = True) -> None:
        self.path = path
        headers = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Cookie: {cookie}"]
        headers += ["Accept-Encoding: gzip"] if compressed else []
        self.request = "\r\n".join([*headers, "", ""]).encode()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)

    def ask(self) -> tuple[int, bytes]:
        """Return the length of the answer's body, and its head."""
        self.socket.sendall(self.request)
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        length = LENGTH.search(head + b"\r\n")
        if not head.startswith(b"HTTP/1.1 200") or length is None:
            raise RuntimeError(f"{self.path}: {head.splitlines()[0].decode()}")
        left = int(length[1]) - len(body)
        while left > 0:
            left -= len(self._more())
        return int(length[1]), head

    def _more(self) -> bytes:
        received = self.socket.recv(1 << 16)
        if not received:
            raise RuntimeError(f"{self.path}: the server ended the connection")
        return received
