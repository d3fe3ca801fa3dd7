"""Slow clients wait for themselves alone: real sockets, and a small application behind them."""

import os
import resource
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO

import pytest
from gunicorn.config import Config
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from quizzes.config import web_worker
from quizzes.config.body_bounds import LARGEST_BODY
from quizzes.config.web_worker import Connection, Server
from tests.whole_site import ROOT

pytestmark = pytest.mark.races

SOON_SECONDS = 10
HELD = threading.Event()  # what "/held" waits for
LARGE = b"x" * 20_000_000  # more than the kernel keeps for a client that takes nothing
WHOLE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SLOW = {
    "nothing": b"",
    "half a header": b"GET / HTTP/1.1\r\nX-Slow: a",
    "half a body": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\na",
    "half a chunk": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\na",
}


def application(environ, start_response):
    path = environ["PATH_INFO"]
    body = LARGE if path == "/large" else environ["wsgi.input"].read() or b"well"
    time.sleep(1 if path == "/late" else 0)
    if path == "/held":
        HELD.wait(60)
    status = next((f"{code} So" for code in ("204", "304") if code in path), "200 OK")
    in_pieces = path.endswith("/pieces")
    start_response(status, [] if in_pieces else [("Content-Length", str(len(body)))])
    if path.endswith("/file"):
        return environ["wsgi.file_wrapper"](BytesIO(body))
    return (bytes([one]) for one in body) if in_pieces else [body]


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


@pytest.fixture(autouse=True)
def _held() -> Iterator[None]:
    HELD.clear()
    yield
    HELD.set()


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


@pytest.mark.slow
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
        assert not server.active_channels  # and not only when its client comes back
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


@contextmanager
def no_file_left(server: Server) -> Iterator[list[socket.socket]]:
    """Let this process open no file; give sockets that were open before, to connect with."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        ready = [stack.enter_context(socket.socket()) for _ in range(3)]
        used = max(one.socket.fileno() for one in server.active_channels.values())
        while (number := os.dup(0)) <= used:  # the gaps
            stack.callback(os.close, number)
        stack.callback(os.close, number)
        resource.setrlimit(resource.RLIMIT_NOFILE, (number + 1, hard))
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        yield ready


def wait_for_connections(server: Server, number: int) -> None:
    deadline = time.monotonic() + SOON_SECONDS
    while len(server.active_channels) < number:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_until_all_wait_for_us(server: Server, number: int) -> None:
    wait_for_connections(server, number)
    deadline = time.monotonic() + SOON_SECONDS
    while not all(one.waits_for_us for one in server.active_channels.values()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_where_no_file_is_left_the_longest_idle_makes_room(client, caplog):
    with serving() as server:
        first = client(server, SLOW["half a header"])
        time.sleep(0.2)
        others = [client(server, SLOW["half a header"]) for _ in range(3)]
        wait_for_connections(server, 4)
        with no_file_left(server) as ready:
            ready[0].settimeout(SOON_SECONDS)
            ready[0].connect(("127.0.0.1", int(server.effective_port)))
            ready[0].sendall(WHOLE)
            assert is_answered(ready[0])
            assert is_ended(first)
        others[-1].settimeout(0.2)
        with pytest.raises(TimeoutError):  # still there, and nothing was said
            others[-1].recv(1)
    (line,) = [one.getMessage() for one in caplog.records if "cannot be taken" in one.message]
    assert "Too many open files. 4 connections are open" in line


def test_where_no_file_is_left_and_nobody_idle_the_process_rests(client, caplog, monkeypatch):
    """It once tried again and again, and had no time for what it was answering."""
    tries = []
    accept = Server.accept
    monkeypatch.setattr(Server, "accept", lambda self: (tries.append(1), accept(self))[1])
    with serving() as server:
        late = [client(server, WHOLE.replace(b"/", b"/held", 1)) for _ in range(4)]
        wait_until_all_wait_for_us(server, 4)
        tries.clear()
        with no_file_left(server) as ready:
            for one in ready:
                one.settimeout(SOON_SECONDS)
                one.connect(("127.0.0.1", int(server.effective_port)))
                one.sendall(WHOLE)
            time.sleep(1.5)
            assert 1 <= len(tries) < 100, "it tried again and again"
            HELD.set()
            assert all(is_answered(one) for one in late)
            assert all(is_answered(one) for one in ready)
    assert len([one for one in caplog.records if "cannot be taken" in one.message]) == 1


def test_where_no_file_is_left_nobody_is_closed_that_has_only_just_come(
    client, caplog, monkeypatch
):
    """One that was taken a moment ago seems idle until its request is read."""
    monkeypatch.setattr(web_worker, "LOOK_SECONDS", 30)  # a moment on a busy machine
    with serving() as server:
        fresh = [client(server, b"") for _ in range(3)]
        wait_for_connections(server, 3)
        with no_file_left(server) as ready:
            ready[0].connect(("127.0.0.1", int(server.effective_port)))
            deadline = time.monotonic() + SOON_SECONDS
            while "cannot be taken" not in caplog.text:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            for one in fresh:
                one.sendall(WHOLE)
                assert is_answered(one)


def test_clients_that_fetch_keep_nobody_out(client):
    """They take nothing of a large answer, at all places that there are."""
    with serving(worker_connections=4) as server:
        for number in range(1, 5):
            client(server, WHOLE.replace(b"/", b"/large", 1))
            wait_for_connections(server, number)
        deadline = time.monotonic() + SOON_SECONDS
        while not all(one.total_outbufs_len for one in server.active_channels.values()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.2)
        assert is_answered(client(server, WHOLE))


def test_where_all_connections_wait_for_us_one_too_many_is_refused(client):
    """The bound is one of files, whatever clients do."""
    with serving(worker_connections=4) as server:
        held = []
        for number in range(1, 5):
            held.append(client(server, WHOLE.replace(b"/", b"/held", 1)))
            wait_until_all_wait_for_us(server, number)
        assert all(is_ended(client(server, WHOLE)) for _ in range(8))
        assert len(server.active_channels) == 4
        HELD.set()
        assert all(is_answered(one) for one in held)


HARD_LIMITS = [(4096, 1000, 3256), (1024, 256, 1024), (100, 16, 100)]


@pytest.mark.parametrize(("hard", "connections", "allowed"), HARD_LIMITS)
def test_connections_leave_the_process_files_for_all_else(hard, connections, allowed):
    if 0 <= resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip(f"the hard limit of open files here is below {hard}")
    program = (
        "import resource, sys; from quizzes.config.web_worker import allow_open_files;"
        "print(allow_open_files(connections=1000), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    done = subprocess.run(
        ["prlimit", f"--nofile={min(hard, 64)}:{hard}", sys.executable, "-c", program],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == [str(connections), str(allowed), str(hard)]
    told = f"may open {allowed} files: it has at most {connections} connections" in done.stderr
    assert told == (connections < 1000), done.stderr


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


def everything(connection: socket.socket) -> bytes:
    """Return what comes until the server ends the connection."""
    said = b""
    while piece := connection.recv(1_000_000):
        said += piece
    return said


BODILESS = [("HEAD", path) for path in ("/", "/pieces", "/file", "/large")] + [
    ("GET", path) for path in ("/204", "/304", "/304/pieces", "/204/file")
]


@pytest.mark.parametrize(("method", "path"), BODILESS)
def test_an_answer_without_body_brings_none(method, path, client, caplog):
    """What came after its headers would be taken for the answer to the next request."""
    with serving() as server:
        asked = f"{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
        headers, _, body = everything(client(server, asked)).partition(b"\r\n\r\n")
        assert headers.startswith(b"HTTP/1.1 ")
        assert body == b""
    assert not said_in(caplog)


@pytest.mark.parametrize("asked", ["HEAD /", "HEAD /file", "HEAD /large", "GET /204", "GET /304"])
def test_after_an_answer_without_body_the_next_follows(asked, client):
    """So said a length, and no end, of what a GET would have brought."""
    with serving() as server:
        first = f"{asked} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
        last = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        answers = everything(client(server, first + last)).split(b"\r\n\r\n")
        assert len(answers) == 3
        assert answers[1].startswith(b"HTTP/1.1 200")
        assert answers[2] == b"well"
        assert (b"Content-Length: " in answers[0]) == asked.startswith("HEAD")
        assert b"Connection: close" not in answers[0]


EXPECTS = b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (b"GET /" + EXPECTS, b"200"),
        (b"POST /" + EXPECTS + b"Content-Length: 0\r\n", b"200"),
        (b"POST /" + EXPECTS + b"Content-Length: %d\r\n" % (LARGEST_BODY + 1), b"200"),
        (b"POST /" + EXPECTS + b"Content-Length: -1\r\n", b"400"),
        (b"POST /" + EXPECTS + b"Content-Length: " + b"9" * 5000 + b"\r\n", b"400"),
        (b"POST /" + EXPECTS + b"Transfer-Encoding: gzip\r\n", b"501"),
    ],
)
def test_a_client_that_expects_100_continue_is_not_kept_waiting(words, status, client):
    """The application answers 200 to what is too long; the site's own says 413."""
    with serving() as server:
        connection = client(server, words + b"\r\n")
        assert everything(connection).split()[1] == status


def test_a_client_that_expects_100_continue_gets_it_for_a_body_that_fits(client):
    with serving() as server:
        connection = client(server, b"POST /" + EXPECTS + b"Content-Length: 4\r\n\r\n")
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"well")
        assert is_answered(connection)


REFUSED = {
    "length of many digits": b"GET / HTTP/1.1\r\nContent-Length: " + b"1" * 5000 + b"\r\n\r\n",
    "length that is none": b"GET / HTTP/1.1\r\nContent-Length: a\r\n\r\n",
    "address of half a bracket": b"GET http://[evil HTTP/1.1\r\n\r\n",
    "address with a bracket behind": b"GET http://a]/ HTTP/1.1\r\n\r\n",
    "address in brackets that is none": b"GET http://[zz]/ HTTP/1.1\r\n\r\n",
    "start line": b"nonsense\r\n\r\n",
    "method": b"get / HTTP/1.1\r\n\r\n",
    "header": b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
    "chunk": b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n",
}


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_what_is_no_request_is_refused_in_a_line_of_the_log(words, client, caplog):
    with serving() as server:
        assert everything(client(server, words)).split()[1] == b"400"
    (record,) = said_in(caplog)
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert record.getMessage().startswith("400 Bad Request: ")
    assert "\n" not in record.getMessage()
    assert len(record.getMessage()) < 500


def test_a_client_that_still_sends_reads_why_its_headers_are_refused(client, caplog):
    with serving() as server:
        connection = client(
            server, b"GET / HTTP/1.1\r\n" + b"X-Long: aaaaaaaaaaaaaaaa\r\n" * 20_000
        )
        connection.shutdown(socket.SHUT_WR)
        assert everything(connection).split()[1] == b"431"
    assert [record.levelname for record in said_in(caplog)] == ["WARNING"]


def test_a_client_that_left_before_its_refusal_is_no_fault(client, caplog):
    with serving() as server:
        for words in [
            *REFUSED.values(),
            b"POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\na",
        ] * 5:
            reset(client(server, words))
        assert is_answered(client(server, WHOLE))
    assert {record.levelname for record in said_in(caplog)} <= {"INFO", "WARNING"}


def said_in(caplog):
    """Return the lines of the log, without those of a queue that has a moment's work."""
    return [record for record in caplog.records if record.name != "waitress.queue"]


def reset(connection: socket.socket) -> None:
    """End a connection as one that is no more: no word of it arrives."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def test_a_connection_that_is_no_more_is_closed_in_silence(client):
    with serving() as server, socket.create_server(("127.0.0.1", 0)) as listener:
        with socket.create_connection(listener.getsockname()) as other:
            accepted, address = listener.accept()
            reset(other)
        connection = Connection(server, accepted, address, server.adj, map={})
        connection.lingers = True
        connection.handle_close()
        connection.handle_close()
        assert not connection.connected


def test_nobody_is_closed_where_everybody_waits_for_us(client):
    """Not the listening socket either: none could come any more."""
    with serving(worker_connections=10) as server:
        busy = client(server, b"GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.3)
        server.most_connections = 0
        server.handle_accept()
        server.most_connections = 10
        assert is_answered(busy)
        assert is_answered(client(server, WHOLE))
