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


CHUNK = b"%x\r\n" % BODY + b"x" * BODY + b"\r\n"
TOO_LARGE = {
    "above the bound of the server, announced": (f"Content-Length: {HUGE}", b""),
    "above the bound of the address": (f"Content-Length: {4 * BODY}", b"x" * 4 * BODY),
    "the same without a length": ("Transfer-Encoding: chunked", CHUNK * 4 + b"0\r\n\r\n"),
}


@pytest.mark.parametrize(("header", "body"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_large_body_is_refused(header: str, body: bytes, site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port), SOON_SECONDS) as connection:
        start = "POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close"
        connection.sendall(f"{start}\r\nAccept: text/html\r\n{header}\r\n\r\n".encode() + body)
        answer = ""
        while piece := connection.recv(65536):
            answer += piece.decode()
    assert answer.startswith("HTTP/1.1 413 ")
    assert ("This is larger than the site accepts" in answer) == bool(body)


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
