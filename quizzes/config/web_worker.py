"""The web processes: waitress holds the connections, its threads make the answers.

gunicorn loads the code once, forks the processes, replaces one that died and stops them. In each,
one thread collects whole requests and sends answers from buffers: a slow client delays only itself.
"""

import os
import resource
import sys
import time
from typing import Any

from gunicorn.workers.base import Worker
from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import BadRequest

MOST_BODY_BYTES = 12 * 1024 * 1024  # at any address; body_bounds.py has the bound of each
MOST_HEADER_BYTES = 32 * 1024  # request line and headers together; what frames a chunk
MOST_FILES = 256 + 3 * 1000  # of a process; and socket, body and answer of each connection
LOOK_SECONDS = 1  # between checks for a stop and for a dead parent


class Request(HTTPRequestParser):  # type: ignore[misc]  # it has no types
    """A request that is being received, and nothing that follows it before its answer."""

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers; close after a request whose end a proxy may see at another place."""
        super().parse_header(header_plus)  # in chunks, where it has both (RFC 9112, 6.1)
        names = header_plus.lower()
        if b"transfer-encoding" in names and (b"content-length" in names or self.version != "1.1"):
            self.headers["CONNECTION"] = "close"

    def received(self, data: bytes) -> int:
        """Read `data`; close after a request with others behind it, which are dropped."""
        try:
            read = int(super().received(data))
            body = self.body_rcv if self.chunked else None
            is_valid = body is None or len(body.control_line + body.trailer) < MOST_HEADER_BYTES
        except ValueError:  # a length of thousands of digits, an address of half a bracket
            read, is_valid = len(data), False
        if not is_valid:
            self.error, self.completed = BadRequest("Invalid request"), True
        if self.completed and not self.empty:
            self.expect_continue = False  # or waitress would wait for a body that never comes
            if data[read:].strip():
                self.headers["CONNECTION"] = "close"
        return read


class BufferedWorker(Worker):  # type: ignore[misc]
    """A web process, as gunicorn starts, watches and stops it."""

    server: Any = None

    def run(self) -> None:
        """Serve until a stop or the end of gunicorn, then let answers end."""
        self.server = make_server(self.wsgi, self.sockets[0].sock, self.cfg)
        while self.alive and os.getppid() == self.ppid:
            self._turn()
        self.server.accepting = False
        self.server.socket.close()
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while self._is_answering() and time.monotonic() < deadline:
            self._turn()

    def handle_exit(self, number: int, frame: Any) -> None:
        """Stop at once, not when a client next does something."""
        super().handle_exit(number, frame)
        if self.server is not None:
            self.server.pull_trigger()

    def _turn(self) -> None:
        self.notify()
        wasyncore.loop(timeout=LOOK_SECONDS, use_poll=True, map=self.server._map, count=1)

    def _is_answering(self) -> bool:
        channels = self.server.active_channels.values()
        return any(channel.requests or channel.total_outbufs_len for channel in channels)


def make_server(application: Any, listener: Any, cfg: Any) -> Any:
    """Return waitress' server of a process, with gunicorn's settings; raise its limit of files."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    server = create_server(
        without_body_of_head(application),
        sockets=[listener],
        threads=cfg.threads,
        backlog=cfg.backlog,
        channel_timeout=cfg.keepalive,
        connection_limit=min(cfg.worker_connections, max(2, (files - 256) // 3)),
        max_request_body_size=MOST_BODY_BYTES + 1,  # waitress refuses what reaches it
        max_request_header_size=MOST_HEADER_BYTES,
        inbuf_overflow=128 * 1024,  # bytes of a body in memory; the rest waits in a file
        outbuf_overflow=128 * 1024,
        outbuf_high_watermark=sys.maxsize,  # above it a thread would wait for its client
        cleanup_interval=LOOK_SECONDS,
        clear_untrusted_proxy_headers=False,  # the site reads them by PROXY_COUNT
        log_socket_errors=False,
        ident=None,
    )
    server.channel_class = type("Connection", (HTTPChannel,), {"parser_class": Request})
    return server


def without_body_of_head(application: Any) -> Any:
    """Return the application without the bodies of answers to HEAD, which waitress would send."""

    def answer(environ: dict[str, Any], start_response: Any) -> Any:
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] == "HEAD":
            body = getattr(body, "close", list)() or []
        return body

    return answer
