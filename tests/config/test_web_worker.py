"""Slow clients wait for themselves alone: real sockets, and a small application behind them."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from gunicorn.config import Config
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from quizzes.config import web_worker
from quizzes.config.web_worker import Server

SOON_SECONDS = 10
LARGE = b"x" * 20_000_000  # more than the kernel keeps for a client that takes nothing
WHOLE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SLOW = {
    "nothing": b"",
    "half a header": b"GET / HTTP/1.1\r\nX-Slow: a",
    "half a body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\na",
    "half a chunk": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\na",
}


def application(environ, start_response):
    body = LARGE if environ["PATH_INFO"] == "/large" else environ["wsgi.input"].read() or b"well"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@contextmanager
def serving(**settings: int) -> Iterator[Server]:
    """One server with two threads, as a web process has it."""
    cfg = Config()
    for name, value in settings.items():
        cfg.set(name, value)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        threads, connections = ThreadedTaskDispatcher(), {}
        threads.set_thread_count(2)
        server = Server(application, listener, cfg, connections=connections, threads=threads)
        stopped = threading.Event()

        def turn() -> None:
            while not stopped.is_set():
                wasyncore.loop(timeout=0.05, use_poll=True, map=connections, count=1)

        loop = threading.Thread(target=turn)
        loop.start()
        try:
            yield server
        finally:
            threads.shutdown()
            stopped.set()
            loop.join()
            wasyncore.close_all(connections)


@pytest.fixture
def client() -> Iterator[Callable[[Server, bytes], socket.socket]]:
    """Open a connection and say something; all are closed at the end."""
    with ExitStack() as stack:

        def open_connection(server: Server, words: bytes) -> socket.socket:
            place = ("127.0.0.1", int(server.effective_port))
            connection = stack.enter_context(socket.create_connection(place, SOON_SECONDS))
            connection.sendall(words)
            return connection

        yield open_connection


def is_answered(connection: socket.socket) -> bool:
    said = b""
    while not said.endswith(b"\r\n\r\nwell") and (piece := connection.recv(1000)):
        said += piece
    return said.startswith(b"HTTP/1.1 200")


def is_ended(connection: socket.socket, *, dripping: bytes = b"") -> bool:
    """Say whether the server ends the connection soon, though a byte comes now and then."""
    connection.settimeout(0.1)
    deadline = time.monotonic() + SOON_SECONDS
    while time.monotonic() < deadline:
        try:
            if dripping:
                connection.send(dripping)
            if connection.recv(1000) == b"":
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


@pytest.mark.parametrize("words", SLOW.values(), ids=SLOW)
def test_many_more_slow_clients_than_threads_hold_nobody_up(words, client):
    with serving() as server:
        slow = [client(server, words) for _ in range(40)]
        assert is_answered(client(server, WHOLE))
        assert len(slow) == 40


def test_clients_that_take_nothing_of_a_large_answer_hold_nobody_up(client):
    with serving() as server:
        for _ in range(10):
            client(server, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n" * 3)
        assert is_answered(client(server, WHOLE))


@pytest.mark.parametrize("words", SLOW.values(), ids=SLOW)
def test_a_request_must_be_whole_in_time_however_many_bytes_drip(words, client, monkeypatch):
    monkeypatch.setattr(web_worker, "REQUEST_SECONDS", 0.5)
    with serving(keepalive=1) as server:
        assert is_ended(client(server, words), dripping=words and b"a")


def test_an_answer_that_nobody_takes_is_given_up(client, monkeypatch):
    monkeypatch.setattr(web_worker, "ANSWER_SECONDS", 0.5)
    with serving() as server:
        connection = client(server, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(3)
        taken = 0
        while piece := connection.recv(1_000_000):
            taken += len(piece)
        assert 0 < taken < len(LARGE)


def test_requests_sent_ahead_are_answered_in_their_turn(client):
    with serving() as server:
        connection = client(server, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n" + WHOLE)
        last = b""
        while not last.endswith(b"well"):
            last = (last + connection.recv(1_000_000))[-4:]


def test_a_request_in_time_is_answered_however_late_the_connection(client, monkeypatch):
    """Time counts anew for each request of a connection that is kept."""
    monkeypatch.setattr(web_worker, "REQUEST_SECONDS", 1.5)
    with serving(keepalive=5) as server:
        connection = client(server, WHOLE)
        for _ in range(4):
            assert is_answered(connection)
            time.sleep(0.6)
            connection.sendall(WHOLE[:20])
            time.sleep(0.1)
            connection.sendall(WHOLE[20:])
        assert is_answered(connection)


def test_one_connection_too_many_takes_the_place_of_the_longest_idle(client):
    with serving(worker_connections=10) as server:
        first = client(server, SLOW["half a header"])
        time.sleep(0.2)
        others = [client(server, SLOW["half a header"]) for _ in range(9)]
        assert is_answered(client(server, WHOLE))
        assert is_ended(first)
        others[-1].settimeout(0.2)
        with pytest.raises(TimeoutError):  # still there, and nothing was said
            others[-1].recv(1)


def test_headers_without_end_are_refused(client):
    with serving() as server:
        connection = client(server, b"GET / HTTP/1.1\r\n" + b"X-Long: aaaaaaaaaaaaaaaa\r\n" * 3000)
        assert connection.recv(1000).startswith(b"HTTP/1.0 431")


def test_the_server_does_not_say_what_it_is(client):
    with serving() as server:
        said = client(server, WHOLE).recv(1000).lower()
        assert b"server:" not in said
        assert b"waitress" not in said
        assert b"waitress" not in client(server, b"nonsense\r\n\r\n").recv(1000).lower()
