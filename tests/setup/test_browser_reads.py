"""Tests in a browser read a page that has arrived."""

import ast
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.browser import each

TESTS = Path(__file__).parents[1]
BROWSER = TESTS / "browser.py"
OF_A_DATABASE = {"objects", "_base_manager", "_default_manager"}
IN_A_BROWSER = [
    file
    for file in sorted(TESTS.rglob("*.py"))
    if file != BROWSER and "from playwright" in file.read_text()
]


def reads_at_once(code: str) -> list[int]:
    """Return the lines that call `Locator.all`, which does not wait."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr, node.args) == ("all", [])
        and not OF_A_DATABASE
        & {name.attr for name in ast.walk(node) if isinstance(name, ast.Attribute)}
    ]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("page.locator('a').all()", [1]),
        ("found = page.locator('a')\nfor one in found.all():\n    one.click()", [2]),
        ("each(page.locator('a'))", []),
        ("Draft.objects.all().delete()", []),
        ("np.all(found)", []),
    ],
)
def test_what_counts_as_reading_at_once(code, lines):
    assert reads_at_once(code) == lines


def test_elements_are_taken_from_a_page_that_has_arrived():
    assert IN_A_BROWSER
    found = {str(file): reads_at_once(file.read_text()) for file in IN_A_BROWSER}
    assert {file: lines for file, lines in found.items() if lines} == {}, "use browser.each"


class SlowAnswer(BaseHTTPRequestHandler):
    """A page with a link to another one, whose second half comes late."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.path == "/":
            self.wfile.write(b"<a href=next>next</a>")
            return
        self.wfile.write(b"<!doctype html><title>Next</title><p>one")
        self.wfile.flush()
        time.sleep(0.5)
        self.wfile.write(b"<p>two")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def slow_answers() -> Iterator[str]:
    """The address of a server of slow answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), SlowAnswer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_each_waits_for_a_page_that_arrives_after_a_click(slow_answers, page, page_errors):
    page_errors.allow("favicon.ico")
    page.goto(slow_answers)
    page.get_by_role("link").click()
    assert [one.inner_text() for one in each(page.locator("p"))] == ["one", "two"]
