"""Web processes killed while a class submits: sent again, it is one submission, graded rightly."""

import contextlib
import http.client
import http.cookiejar
import json
import os
import random
import re
import signal
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from tests.courses import at
from tests.exercises import making
from tests.whole_site import Site, children_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.races]

PAGE = at("/exercises/sinusoidal-table/")
PATIENCE_SECONDS = 240
LOST = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)


class Student:
    """A browser without a script that sends again, with the same form, what was not answered."""

    page, kind = PAGE, "submit"

    def __init__(self, site: Site, number: int) -> None:
        self.url = site.url
        self.code = making.REFERENCE if number % 2 else making.SWAPPED
        self.expected = "correct" if number % 2 else "known_mistake"
        self.address = ""
        self.sent_again = 0
        cookies = http.cookiejar.CookieJar()
        self.open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies)).open

    def submit(self) -> None:
        self.fill_in()
        self.send()

    def fill_in(self) -> None:
        page = self._again(lambda: self._read(self.url + self.page)[1])
        fields = {
            name: re.search(rf'name="{name}"[^>]*value="([^"]+)"', page).group(1)
            for name in ("csrfmiddlewaretoken", "key")
        }
        given = {**fields, "code": self.code, "kind": self.kind}
        self._form = urllib.parse.urlencode(given).encode()

    def send(self) -> None:
        """Send what was filled in; an answer that is an error is raised."""
        self.address, _ = self._again(lambda: self._read(self.url + self.page, self._form))

    def verdict(self) -> str:
        """Wait for the verdict on the submission's page."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            found = re.search(r'data-verdict="(\w+)"', self._again(self._submission))
            if found:
                return found.group(1)
            time.sleep(0.5)
        return "no verdict"

    def submissions(self) -> int:
        """Count what the history of the exercise's page holds."""
        page = self._again(lambda: self._read(self.url + self.page)[1])
        return len(set(re.findall(rf'href="{self.page}submissions/(\d+)/"', page)))

    def _submission(self) -> str:
        return self._read(self.address)[1]

    def _read(self, address: str, data: bytes | None = None) -> tuple[str, str]:
        with self.open(address, data, timeout=60) as answer:
            return answer.url, answer.read().decode()

    def _again(self, ask: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return ask()
            except LOST as error:
                if isinstance(error, urllib.error.HTTPError) or time.monotonic() > deadline:
                    raise
                self.sent_again += 1
                time.sleep(0.2)


def kill_a_web_process(site: Site, chance: random.Random) -> None:
    """Any that is there; all may be gone for a moment after the last kill."""
    master = site.pids("gunicorn")[0]
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (there := children_of(master)) and time.monotonic() < deadline:
        time.sleep(0.1)
    with contextlib.suppress(ProcessLookupError):
        os.kill(chance.choice(there), signal.SIGKILL)


@pytest.mark.parametrize(
    ("count", "kills"), [(16, 3), pytest.param(200, 6, marks=pytest.mark.soak)]
)
def test_what_was_sent_again_after_a_kill_is_one_submission(new_site, count, kills):
    seed = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"KILL_SEED={seed}")
    site, chance = new_site(LOG_FORMAT="json"), random.Random(seed)
    students = [Student(site, number) for number in range(count)]
    threads = [threading.Thread(target=student.submit) for student in students]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        time.sleep(chance.uniform(0.2, 0.8))
        kill_a_web_process(site, chance)
    for thread in threads:
        thread.join()
    assert any(student.sent_again for student in students), "no kill hit anybody"
    assert len({student.address for student in students}) == count
    for student in students:
        assert student.verdict() == student.expected
        assert student.submissions() == 1
    assert_every_line_is_an_object(site)


def assert_every_line_is_an_object(site: Site) -> None:
    """Of gunicorn too, which tells of the kills; `[ordinal]` is not of the site."""
    _, _, log = site.log().partition("Ordinal is at")
    written = log.splitlines()[1:]
    lines = [json.loads(line) for line in written if not line.startswith("[ordinal]")]
    assert [
        one for one in lines if one["logger"] == "gunicorn.error" and "SIGKILL" in one["message"]
    ]
