"""The processes that serve the site: waitress talks to clients, four threads make the answers.

A client may be slow: to send a request, to fetch the answer, or silent altogether. With a thread
for each connection, as many slow clients as there are threads stop the site. So one thread of a
process holds all connections (waitress). It collects whole requests and hands them to the threads;
an answer goes into a buffer and is sent as fast as its client takes it.

gunicorn stays above: it loads the code once, forks the processes, replaces a process that died and
stops them. Nothing here is asynchronous for the site: a view is called in a thread, as before.
"""

import errno
import logging
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from copy import copy
from http import HTTPStatus
from io import BytesIO
from math import inf
from socket import SHUT_WR, socket
from types import FrameType
from typing import Any
from wsgiref.util import FileWrapper

from gunicorn.config import Config
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher, WSGITask
from waitress.utilities import RequestEntityTooLarge

from quizzes.config.body_bounds import bound_of

REQUEST_SECONDS = 30  # from the first byte of a request to its last
ANSWER_SECONDS = 30  # in which a client takes nothing of its answer
LOOK_SECONDS = 1  # seconds between checks of the rules above, of a stop and of a dead parent
MOST_HEADER_BYTES = 32 * 1024  # request line and headers together
MOST_MEMORY_BYTES = 128 * 1024  # of a body or an answer in memory; the rest waits in a file
MOST_DISCARDED_BYTES = 1024 * 1024  # of a refused body that is still read
LINGER_SECONDS = 2  # seconds for the client to read it
MOST_LOGGED_CHARACTERS = 200  # characters of an error message
FILES_OF_A_CONNECTION = 3  # its socket, its body, its answer
OTHER_FILES = 256  # databases, pipes, logs
NO_FILE = {errno.EMFILE, errno.ENFILE}
NO_MEMORY = {errno.ENOBUFS, errno.ENOMEM}  # of the kernel: to close a connection may not help
SILENT_SECONDS = 60  # between two lines of the log about one fault

logger = logging.getLogger(__name__)

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that is being received; its address bounds its body."""

    adj: Any
    expect_continue: bool
    command = path = ""  # where the start line could not be read

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers; a client that asks whether to send its body is told so if it may.

        waitress would tell it so whatever it announced, and then wait for a body that never comes
        or is refused.
        """
        takes_body = False
        try:
            super().parse_header(header_plus)
            takes_body = self._bound_body()
        except ValueError as error:  # a length of thousands of digits, an address of half a bracket
            raise ParsingError("The address or the length of the body is invalid") from error
        finally:
            self.expect_continue = self.expect_continue and takes_body

    def _bound_body(self) -> bool:
        """Set the bound of the address; return whether there is a body and it may come."""
        if self.body_rcv is None:
            return False
        path = self.path.encode("latin-1").decode(errors="replace")
        self.adj = copy(self.adj)
        self.adj.max_request_body_size = bound_of(path) + 1  # waitress refuses what reaches it
        return bool(self.content_length < self.adj.max_request_body_size)


class AnswerTask(WSGITask):  # type: ignore[misc]
    """The site's answer. Where HTTP allows no body, none is sent, whatever the site made.

    The site answers HEAD as it does GET. waitress would send that body, and the client would take
    it for the answer to its next request. Lengths, and the connection, stay as they are.
    """

    chunked_response: bool

    @property
    def sends_body(self) -> bool:
        return bool(self.has_body and self.request.command != "HEAD")

    def write(self, data: bytes) -> None:
        if not self.has_body:
            self.content_length = None  # else waitress misses what was announced, and says so
        super().write(data if self.sends_body else b"")
        self.chunked_response = self.chunked_response and self.sends_body

    def set_close_on_finish(self) -> None:
        """Close, but not for want of a length where no body comes whose end must be known."""
        has_end = self.complete and not self.has_body and self.version == "1.1"
        if self.request.connection_close or not has_end:
            super().set_close_on_finish()

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        return environ | {"wsgi.file_wrapper": self._wrap_file}

    def _wrap_file(self, file: Any, block_size: int = 8192) -> Iterable[bytes]:
        """Have waitress send the file itself, past `write`, only where it is to be sent."""
        wrapper = ReadOnlyFileBasedBuffer if self.sends_body else FileWrapper
        return wrapper(file, block_size)


class RefusalTask(ErrorTask):  # type: ignore[misc]
    """The answer to an invalid request, which the site never sees; a log line has the reason."""

    def execute(self) -> None:
        self.channel.lingers = True
        error = self.request.error
        if error.code < HTTPStatus.INTERNAL_SERVER_ERROR:  # our failure: with its traceback
            why = repr(error.body[:MOST_LOGGED_CHARACTERS])
            self.logger.warning("%s %s: %s", error.code, error.reason, why)
        super().execute()


class OverlongTask(AnswerTask):
    """The answer to a body above its bound, which is read no further: the site's own 413."""

    def execute(self) -> None:
        self.set_close_on_finish()
        self.channel.lingers = True
        super().execute()

    def get_environment(self) -> dict[str, Any]:
        """Give the announced length of the body, or the length that was read, and no content."""
        environ: dict[str, Any] = super().get_environment()
        claimed = max(self.request.content_length, self.request.body_bytes_received)
        environ |= {"CONTENT_LENGTH": str(claimed), "wsgi.input": BytesIO()}
        return environ


class Connection(HTTPChannel):  # type: ignore[misc]
    """A client's connection. Each request must be whole some seconds after its first byte."""

    parser_class = Request
    task_class = AnswerTask
    lingers = False  # whether the client may still be sending after our last answer
    lingers_since = 0.0
    discarded = 0
    request_began = 0.0
    postponed = False  # the next request waits until its client has taken the answer before it

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.last_answered = time.monotonic()

    @staticmethod
    def error_task_class(channel: HTTPChannel, request: Any) -> RefusalTask | OverlongTask:
        """Choose the answer to a request that waitress refuses."""
        overlong = isinstance(request.error, RequestEntityTooLarge)
        return (OverlongTask if overlong else RefusalTask)(channel, request)

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.request_began = time.time()
        return bool(super().received(data))

    def service(self) -> None:
        """Have a request answered, one at a time.

        waitress would go on with requests that were sent ahead, and block a thread when 16 MB of
        answers wait for a client that takes none of them.
        """
        with self.requests_lock:
            if self.total_outbufs_len:
                self.postponed = True
                return
        super().service()
        self.last_answered = time.monotonic()

    def handle_write(self) -> None:
        if self.socket is None:  # closed in this same turn, while it was read
            return
        super().handle_write()
        with self.requests_lock:
            goes_on = self.postponed and not self.total_outbufs_len and self.connected
            self.postponed = self.postponed and not goes_on
        if goes_on:
            self.server.add_task(self)

    @property
    def waits_for_us(self) -> bool:
        """Return whether a request is being answered, or about to be."""
        return bool(self.requests) and not self.postponed

    def give_up(self) -> None:
        """Close now. A connection that is only marked waits for a client that may never read."""
        self.will_close = True
        self.handle_close()

    def handle_close(self) -> None:
        """Close; but first let a client that is still sending read the refusal.

        Closing while bytes of it are unread resets the connection, and the client, which learns of
        that first, throws our answer away.
        """
        if not self.lingers or not self.connected:
            super().handle_close()
            return
        self.lingers = self.will_close = False
        self.lingers_since = time.time()
        with suppress(OSError):  # it may be gone already
            self.socket.shutdown(SHUT_WR)

    def readable(self) -> bool:
        if self.lingers_since:
            return self.discarded < MOST_DISCARDED_BYTES
        return bool(super().readable())

    def handle_read(self) -> None:
        if self.lingers_since:
            self.discarded += len(self.recv(self.adj.recv_bytes))  # closes at the client's end
        else:
            super().handle_read()

    def is_overdue(self, now: float) -> bool:
        """Return whether the client has used up its time. Time that we need does not count."""
        if self.lingers_since:
            return now > self.lingers_since + LINGER_SECONDS
        if self.waits_for_us:
            return False
        if self.total_outbufs_len:
            return bool(now > self.last_activity + ANSWER_SECONDS)
        if self.request is not None:
            return now > self.request_began + REQUEST_SECONDS
        return bool(now > self.last_activity + self.adj.channel_timeout)


class Server(TcpWSGIServer):  # type: ignore[misc]
    """All connections of a process to one listening socket. Settings are gunicorn's."""

    channel_class = Connection
    accepts_from = -inf  # on the monotonic clock, as is the next
    tells_from = -inf  # that a connection cannot be taken

    def __init__(
        self,
        application: Application,
        listener: socket,
        cfg: Config,
        *,
        connections: dict[int, Any],
        threads: ThreadedTaskDispatcher,
    ) -> None:
        self.most_connections = cfg.worker_connections
        super().__init__(
            application,
            connections,
            _sock=listener,
            dispatcher=threads,
            adj=_adjustments(listener, cfg),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def maintenance(self, now: float) -> None:
        for connection in [*self.active_channels.values()]:
            if connection.is_overdue(now):
                connection.give_up()

    def handle_accept(self) -> None:
        """Take a connection; one too many replaces the connection that has been idle longest.

        Refusing it instead would let a client that fills all places keep all others out. It is
        refused where all others wait for us.
        """
        super().handle_accept()
        if len(self.active_channels) > self.most_connections:
            self._give_up_longest_idle()

    def readable(self) -> bool:
        return bool(super().readable()) and time.monotonic() >= self.accepts_from

    def accept(self) -> tuple[socket, Any] | None:
        """Take a connection; where there is no file for it, the longest idle one is closed.

        A connection that was not taken stays the kernel's, which would wake this thread for it
        again at once and for ever. So where none is idle, none is taken for a while.
        """
        try:
            taken: tuple[socket, Any] | None = super().accept()
        except OSError as error:
            if error.errno not in NO_FILE | NO_MEMORY:
                raise
            self._tell_why(error)
            found = error.errno in NO_FILE and self._give_up_longest_idle(at_least=LOOK_SECONDS)
            if not found:
                self.accepts_from = time.monotonic() + LOOK_SECONDS
            return None
        return taken

    def _give_up_longest_idle(self, *, at_least: float = 0.0) -> bool:
        """Close the connection idle longest, if for `at_least` seconds; say whether there was one.

        One that was just taken, whose request is not read yet, seems idle too. A client that still
        fetches an answer counts as idle: spared, a thousand of them would keep all others out.
        """
        idle = [one for one in self.active_channels.values() if not one.waits_for_us]
        longest_idle = min(
            (one for one in idle if one.last_answered <= time.monotonic() - at_least),
            key=lambda one: one.last_answered,
            default=None,
        )
        if longest_idle is None:
            return False
        longest_idle.give_up()
        return True

    def _tell_why(self, error: OSError) -> None:
        now = time.monotonic()
        if now >= self.tells_from:
            self.tells_from = now + SILENT_SECONDS
            logger.error(
                "A connection cannot be taken: %s. %s connections are open; the one that has been"
                " idle longest is closed, or new ones wait",
                error.strerror,
                len(self.active_channels),
            )

    def is_answering(self) -> bool:
        """Return whether a whole request has no answer yet, or an answer is not yet sent."""
        return any(one.requests or one.total_outbufs_len for one in self.active_channels.values())


def _adjustments(listener: socket, cfg: Config) -> Adjustments:
    return Adjustments(
        sockets=[listener],
        backlog=cfg.backlog,
        connection_limit=2 * cfg.worker_connections,  # ours comes first
        channel_timeout=cfg.keepalive,
        cleanup_interval=LOOK_SECONDS,
        max_request_header_size=MOST_HEADER_BYTES,
        inbuf_overflow=MOST_MEMORY_BYTES,
        outbuf_overflow=MOST_MEMORY_BYTES,
        outbuf_high_watermark=sys.maxsize,  # above it a thread would wait for its client
        clear_untrusted_proxy_headers=False,  # the site reads them by PROXY_COUNT
        log_socket_errors=False,
        ident=None,
    )


class BufferedWorker(Worker):  # type: ignore[misc]
    """A web process, as gunicorn starts, watches and stops it."""

    servers: Sequence[Server] = ()

    def run(self) -> None:
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a queue is no fault
        asked = self.cfg.worker_connections
        self.cfg.set("worker_connections", allow_open_files(connections=asked))
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.cfg.threads)
        self.connections: dict[int, Any] = {}
        both = {"connections": self.connections, "threads": threads}
        self.servers = [Server(self.wsgi, one.sock, self.cfg, **both) for one in self.sockets]
        while self.alive and os.getppid() == self.ppid:
            self._turn()
        self._finish()

    def handle_exit(self, number: int, frame: FrameType | None) -> None:
        super().handle_exit(number, frame)
        for server in self.servers:
            server.pull_trigger()  # otherwise it would notice only when a client does something

    def _turn(self) -> None:
        """Handle the events of clients, or wait a moment for them."""
        self.notify()
        wasyncore.loop(timeout=LOOK_SECONDS, use_poll=True, map=self.connections, count=1)

    def _finish(self) -> None:
        """Answer the requests that have arrived, for `graceful_timeout` at most."""
        for server in self.servers:
            server.accepting = False
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < deadline and any(one.is_answering() for one in self.servers):
            self._turn()


def allow_open_files(*, connections: int) -> int:
    """Have as many open files as connections may need; return how many connections may be open.

    By custom a process may have 1024, and raise that itself up to a hard limit. Connections leave
    the rest of the process its files, or it would take them all and could answer none.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = OTHER_FILES + FILES_OF_A_CONNECTION * connections
    allowed = needed if most == resource.RLIM_INFINITY else min(needed, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    others = min(OTHER_FILES, allowed // 2)
    possible = max(1, min(connections, (allowed - others) // FILES_OF_A_CONNECTION))
    if possible < connections:
        logger.warning(
            "A web process may open %s files: it has at most %s connections at a time, not %s."
            " The hard limit of open files can be raised (LimitNOFILE= of systemd, ulimit -Hn)",
            allowed,
            possible,
            connections,
        )
    return possible
