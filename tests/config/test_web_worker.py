"""Slow and hostile clients on real sockets, with a small application behind the server."""

import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from pathlib import Path

import pytest
from gunicorn.config import Config

from quizzes.config.web_worker import MOST_BODY_BYTES, MOST_HEADER_BYTES, make_server
from tests.child_environment import ENDS_WITH_US
from tests.whole_site import ROOT, children_of, free_port

pytestmark = pytest.mark.races

SOON_SECONDS = 10
LARGE = b"x" * 30_000_000  # more than the kernel keeps for a client that takes nothing
PIECE = 29_000_000  # after which waitress would wait, by its own setting
GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CLOSE = b"Connection: close\r\n"
WHOLE = GET + b"\r\n"
SLOW = {
    "nothing": b"",
    "half a header": GET + b"X-Slow: a",
    "half a body": POST + b"Content-Length: 100\r\n\r\na",
    "half a chunk": POST + CHUNKED + b"\r\nff\r\na",
}


def application(environ, start_response):
    path = environ["PATH_INFO"]
    body = LARGE if path == "/large" else environ["wsgi.input"].read() or b"well"
    status = "204 No Content" if path == "/204" else "200 OK"
    start_response(status, [("Content-Length", str(len(body)))])
    if path == "/file":
        return environ["wsgi.file_wrapper"](BytesIO(body))
    return [body[:PIECE], body[PIECE:]]


@contextmanager
def serving(**settings: int) -> Iterator[int]:
    """Serve with two threads, as a web process does; give the port."""
    cfg = Config()
    for name, value in {"threads": 2, **settings}.items():
        cfg.set(name, value)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = int(listener.getsockname()[1])
        server = make_server(application, listener, cfg)
        loop = threading.Thread(target=server.run)
        loop.start()
        try:
            yield port
        finally:
            server.task_dispatcher.shutdown()
            server._map.clear()  # which ends the loop
            server.pull_trigger()
            loop.join()


@pytest.fixture
def client() -> Iterator[Callable[[int, bytes], socket.socket]]:
    """Open a connection and send something; all are closed at the end."""
    with ExitStack() as stack:

        def open_connection(port: int, request: bytes = b"") -> socket.socket:
            place = ("127.0.0.1", port)
            connection = stack.enter_context(socket.create_connection(place, SOON_SECONDS))
            connection.sendall(request)
            return connection

        yield open_connection


def is_answered(connection: socket.socket) -> bool:
    answer = b""
    while not answer.endswith(b"\r\n\r\nwell") and (piece := connection.recv(1000)):
        answer += piece
    return answer.startswith(b"HTTP/1.1 200")


def everything(connection: socket.socket) -> bytes:
    """Return what comes until the server ends the connection."""
    answer = b""
    while piece := connection.recv(1_000_000):
        answer += piece
    return answer


@pytest.mark.parametrize("request_", SLOW.values(), ids=SLOW)
def test_slow_clients_hold_nobody_up(request_, client):
    with serving() as port:
        for _ in range(40):
            client(port, request_)
        assert is_answered(client(port, WHOLE))


def test_clients_that_take_nothing_hold_nobody_up(client):
    with serving() as port:
        for _ in range(4):
            client(port, WHOLE.replace(b"/", b"/large", 1) * 3)
        assert is_answered(client(port, WHOLE))


def test_silent_connection_is_closed(client):
    with serving(keepalive=1) as port:
        assert everything(client(port)) == b""


def test_connection_beyond_the_limit_waits_for_a_place(client):
    with serving(worker_connections=6) as port:
        first, *_ = [client(port) for _ in range(8)]
        late = client(port, WHOLE)
        late.settimeout(0.5)
        with pytest.raises(TimeoutError):
            late.recv(1)
        late.settimeout(SOON_SECONDS)
        for connection in (first, *_):
            connection.close()
        assert is_answered(late)


CHUNKS = b"4\r\nwell\r\n0\r\n"
AMBIGUOUS = {
    "two lengths": POST + CHUNKED + b"Content-Length: 100\r\n\r\n" + CHUNKS + b"\r\n",
    "two lengths, no chunk": POST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n",
    "chunks of HTTP/1.0": b"POST / HTTP/1.0\r\nConnection: keep-alive\r\n" + CHUNKED + b"\r\n",
}


@pytest.mark.parametrize("request_", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_ambiguous_request_closes_its_connection(request_, client):
    """RFC 9112, 6.1: a proxy that reads another length would take what follows for its own."""
    with serving() as port:
        answer = everything(client(port, request_))
    assert b"\r\nConnection: close\r\n" in answer
    assert answer.endswith(b"\r\n\r\nwell")


@pytest.mark.parametrize("request_", [*AMBIGUOUS.values(), WHOLE], ids=[*AMBIGUOUS, "plain"])
def test_request_sent_ahead_is_never_answered(request_, client):
    hidden = b"GET /204 HTTP/1.1\r\nHost: a\r\n\r\n"
    with serving() as port:
        answer = everything(client(port, request_ + hidden))
    assert answer.count(b"HTTP/1.") == 1
    assert answer.split()[1] == b"200"
    assert b"\r\nConnection: close\r\n" in answer


@pytest.mark.parametrize("end", [b"\r\n", b"X-Trailer: a\r\n\r\n"])
def test_chunked_body_keeps_the_connection(end, client):
    with serving() as port:
        connection = client(port, POST + CHUNKED + b"\r\n" + CHUNKS + end)
        assert is_answered(connection)
        connection.sendall(b"\r\n" + WHOLE)
        assert is_answered(connection)


@pytest.mark.parametrize("path", [b"/", b"/file", b"/large", b"/204"])
def test_head_brings_no_body(path, client):
    """Else the client would take it for its next answer."""
    with serving() as port:
        connection = client(port, b"HEAD %s HTTP/1.1\r\nHost: a\r\n\r\n" % path)
        headers = connection.recv(1000)
        assert headers.endswith(b"\r\n\r\n")
        if path != b"/204":
            assert b"\r\nContent-Length: " in headers
            connection.sendall(WHOLE)
            assert is_answered(connection)


EXPECT = b"Expect: 100-continue\r\n" + CLOSE


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (GET + EXPECT, b"200"),
        (POST + EXPECT + b"Content-Length: 0\r\n", b"200"),
        (POST + EXPECT + b"Content-Length: %d\r\n" % (MOST_BODY_BYTES + 1), b"413"),
        (POST + EXPECT + b"Content-Length: -1\r\n", b"400"),
        (POST + EXPECT + b"Content-Length: " + b"9" * 5000 + b"\r\n", b"400"),
        (POST + EXPECT + b"Transfer-Encoding: gzip\r\n", b"501"),
        (GET.ljust(MOST_HEADER_BYTES - 2, b"a"), b"431"),
        (b"GET / HTTP/1.1\r\nContent-Length: a\r\n", b"400"),
        (b"GET http://a/ HTTP/1.1\r\n" + CLOSE, b"200"),
        (b"GET http://[evil HTTP/1.1\r\n", b"400"),
        (b"GET http://[zz]/ HTTP/1.1\r\n", b"400"),
        (b"nonsense\r\n", b"400"),
        (b"get / HTTP/1.1\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nno colon\r\n", b"400"),
        (POST + CHUNKED + b"\r\nxyz\r\n", b"400"),
        (POST + CHUNKED + b"\r\n" + b"1" * (MOST_HEADER_BYTES - 1) + b"\r", b"400"),
        (POST + CHUNKED + b"\r\n0\r\nX-Long: ".ljust(MOST_HEADER_BYTES + 3, b"a"), b"400"),
    ],
)
def test_odd_request_gets_its_status(request_, status, client, caplog):
    with serving() as port:
        answer = everything(client(port, request_ + b"\r\n"))
    assert answer.split()[1] == status
    assert b"waitress" not in answer.lower()
    assert b"\nServer:" not in answer
    assert errors_in(caplog) == []


def test_body_that_is_expected_is_asked_for(client):
    with serving() as port:
        connection = client(port, POST + EXPECT + b"Content-Length: 4\r\n\r\n")
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"well")
        assert is_answered(connection)


@pytest.mark.parametrize("more", [0, 1])
def test_body_above_the_bound_of_the_server_is_a_413(more, client):
    with serving() as port:
        connection = client(port, POST + CLOSE + CHUNKED + b"\r\n")
        sent = len(b"300000\r\n\r\n") * 4 + len(b"0\r\n\r\n")
        for _ in range(3):
            connection.sendall(b"300000\r\n" + b"x" * 0x300000 + b"\r\n")
        last = MOST_BODY_BYTES - 3 * 0x300000 - sent + more
        connection.sendall(b"%06x\r\n" % last + b"x" * last + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        assert everything(connection).split()[1] == (b"413" if more else b"200")


def test_client_that_leaves_is_no_fault(client, caplog):
    with serving() as port:
        for request_ in [WHOLE.replace(b"/", b"/large", 1), b"nonsense\r\n\r\n", b"POST /"] * 5:
            connection = client(port, request_)
            no_wait = struct.pack("ii", 1, 0)  # ends it with a reset
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, no_wait)
            connection.close()
        assert is_answered(client(port, WHOLE))
    assert errors_in(caplog) == []


def errors_in(caplog):
    return [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize(("hard", "printed"), [(4096, "1000 3256"), (1024, "256 1024")])
def test_process_may_open_files_for_its_connections(hard, printed):
    if 0 <= resource.getrlimit(resource.RLIMIT_NOFILE)[1] < hard:
        pytest.skip(f"the hard limit of open files here is below {hard}")
    program = (
        "import resource, socket; from gunicorn.config import Config;"
        "from quizzes.config.web_worker import make_server;"
        "server = make_server(print, socket.create_server(('127.0.0.1', 0)), Config());"
        "print(server.adj.connection_limit, resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    run = subprocess.run(
        ["prlimit", f"--nofile=64:{hard}", sys.executable, "-c", program],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.strip() == printed


LATE = """
import time

def application(environ, start_response):
    time.sleep(1 if environ["PATH_INFO"] == "/late" else 0)
    body = b"x" * 20_000_000 if environ["PATH_INFO"] == "/large" else b"well"
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""


@pytest.fixture
def web(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start gunicorn as the site does, with a small application; give it and its port."""
    (tmp_path / "late.py").write_text(LATE)
    port = free_port()
    gunicorn = ("-m", "gunicorn", "-c", "quizzes/config/gunicorn.py", "--pythonpath")
    process = subprocess.Popen(
        [*ENDS_WITH_US, sys.executable, *gunicorn, str(tmp_path), "late:application"],
        cwd=ROOT,
        env=os.environ
        | {
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        },
    )
    wait_until(lambda: len(children_of(process.pid)) == 2)
    try:
        yield process, port
    finally:
        process.kill()
        process.wait()


def wait_until(holds: Callable[[], bool], seconds: float = SOON_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signal_lets_answers_end(number, web, client):
    """Those of eight threads, and one that waits for a thread."""
    process, port = web
    before = children_of(process.pid)
    late = [client(port, WHOLE.replace(b"/", b"/late", 1)) for _ in range(9)]
    time.sleep(0.5)
    process.send_signal(number)
    assert all(is_answered(connection) for connection in late)
    if number == signal.SIGTERM:
        assert process.wait(timeout=SOON_SECONDS) == 0
    else:
        wait_until(lambda: not set(before) & set(children_of(process.pid)))
        assert is_answered(client(port, WHOLE))


def test_dead_process_is_replaced(web, client):
    process, port = web
    for child in children_of(process.pid):
        os.kill(child, signal.SIGKILL)
        wait_until(lambda child=child: len(set(children_of(process.pid)) - {child}) == 2)
    assert is_answered(client(port, WHOLE))


def test_port_is_free_after_gunicorn_was_killed(web, client):
    """Also while clients are slow to send and to take."""
    process, port = web
    children = children_of(process.pid)
    for request_ in (*SLOW.values(), WHOLE.replace(b"/", b"/large", 1)):
        client(port, request_)
    time.sleep(0.5)
    process.kill()
    try:
        wait_until(lambda: is_free(port), seconds=2)
    finally:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
