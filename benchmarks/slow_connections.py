"""Slow clients: open connections that send, or read, next to nothing.

The four kinds in which a client can keep a server waiting:
  idle    says nothing at all
  header  a request whose headers never end, a byte every half second
  body    a form whose bytes never all come, a byte every half second
  reader  asks for a large file again and again and takes nothing of it
"""

import selectors
import socket
import threading
from types import TracebackType

DRIP_SECONDS = 0.5
LARGE_FILE = "/static/vendor/codemirror-6.0.2/codemirror.js"
BEGINNINGS = {
    "idle": "",
    "header": "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a",
    "body": (
        "POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\nlogin=a"
    ),
    "reader": f"GET {LARGE_FILE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 60,
}
DRIPPING = {"header", "body"}


class SlowConnections:
    """`count` connections of each of `kinds`; the ones that the server ends are reopened."""

    def __init__(self, port: int, *kinds: str, count: int) -> None:
        self.port = port
        self.wanted = [kind for kind in kinds for _ in range(count)]
        self.ended = 0
        self.sockets: dict[socket.socket, str] = {}
        self.selector = selectors.DefaultSelector()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._hold, daemon=True)

    def __enter__(self) -> "SlowConnections":
        for kind in self.wanted:
            self._open(kind)
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopped.set()
        self.thread.join()
        for connection in self.sockets:
            connection.close()
        self.selector.close()

    def _open(self, kind: str) -> None:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(5)
        connection.connect(("127.0.0.1", self.port))
        connection.sendall(BEGINNINGS[kind].encode())
        connection.setblocking(False)
        self.sockets[connection] = kind
        if kind != "reader":
            self.selector.register(connection, selectors.EVENT_READ)

    def _hold(self) -> None:
        while not self.stopped.wait(DRIP_SECONDS):
            ended = {key.fileobj for key, _ in self.selector.select(timeout=0)}
            for connection, kind in list(self.sockets.items()):
                if connection in ended or not self._drip(connection, kind):
                    self._open_again(connection, kind)

    def _drip(self, connection: socket.socket, kind: str) -> bool:
        """Send a byte, if the kind sends bytes; return whether the connection is still open."""
        if kind not in DRIPPING:
            return True
        try:
            return connection.send(b"a") == 1
        except OSError:
            return False

    def _open_again(self, connection: socket.socket, kind: str) -> None:
        self.ended += 1
        self.selector.unregister(connection)
        del self.sockets[connection]
        connection.close()
        self._open(kind)
