"""The site as `make run` starts it beside clients that take their time or send too much."""

import http.client
import socket
import time

import pytest

from benchmarks.slow_connections import SlowConnections
from quizzes.config.body_bounds import BODY
from tests.courses import at
from tests.whole_site import Site

pytestmark = pytest.mark.races

MORE_THAN_THREADS = 40
SOON_SECONDS = 10  # on a machine that is busy testing; alone it takes milliseconds
HUGE = 300_000_000


@pytest.mark.parametrize("kind", ["idle", "header", "body", "reader"])
def test_slow_clients_hold_nobody_up(kind: str, site: Site) -> None:
    with SlowConnections(site.port, kind, count=MORE_THAN_THREADS):
        time.sleep(1)
        for path in ("/healthz", at("/learn/why-order/equivariance/")) * 2:
            connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=SOON_SECONDS)
            connection.request("GET", path)
            assert connection.getresponse().status == 200
            connection.close()


def open_post(site: Site, headers: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", site.port), SOON_SECONDS)
    request = f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n\r\n"
    connection.sendall(request.encode())
    return connection


def all_of(connection: socket.socket) -> str:
    said = b""
    while piece := connection.recv(65536):
        said += piece
    return said.decode()


def test_a_huge_body_is_refused_before_a_byte_of_it_came(site: Site) -> None:
    with open_post(site, f"Content-Length: {HUGE}\r\nAccept: text/html") as connection:
        said = all_of(connection)
    assert said.startswith("HTTP/1.1 413 ")
    assert "This is larger than the site takes" in said
    assert "Connection: close" in said


def test_a_body_without_a_length_is_refused_as_soon_as_it_is_too_long(site: Site) -> None:
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    with open_post(site, "Transfer-Encoding: chunked") as connection:
        sent = 0
        while sent <= BODY:
            connection.sendall(chunk)
            sent += 0x8000
        said = all_of(connection)
    assert said.startswith("HTTP/1.1 413 ")


def test_a_client_that_goes_on_sending_reads_why_it_was_refused(site: Site) -> None:
    with open_post(site, f"Content-Length: {4 * BODY}") as connection:
        connection.sendall(b"x" * 4 * BODY)
        assert all_of(connection).startswith("HTTP/1.1 413 ")


def test_what_visitors_do_wrong_is_a_line_in_the_log_without_a_traceback(site: Site) -> None:
    before = len(site.log())
    for method, path, host in [
        ("GET", "/accounts/login/", "evil.example"),
        ("GET", at("/learn/"), "evil.example"),
        ("POST", "/accounts/login/", "127.0.0.1"),  # without the form's key
    ]:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=SOON_SECONDS)
        connection.request(method, path, headers={"Host": host})
        answer = connection.getresponse()
        assert answer.status == (403 if method == "POST" else 400)
        assert answer.headers["Server"] is None
        assert b"<h1>" in answer.read()
        connection.close()
    deadline = time.monotonic() + SOON_SECONDS
    while "CSRF" not in site.log()[before:] and time.monotonic() < deadline:
        time.sleep(0.1)
    said = site.log()[before:]
    assert said.count("DisallowedHost: Invalid HTTP_HOST header: 'evil.example'") == 2
    assert "Forbidden (CSRF" in said
    assert "Traceback" not in said
