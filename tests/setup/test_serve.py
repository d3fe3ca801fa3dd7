"""`make run` starts web and worker together and leaves nothing behind, however it ends."""

import os
import signal
import time
from collections.abc import Callable

import pytest

from tests.whole_site import Site, descendants_of, is_running

pytestmark = pytest.mark.races

NewSite = Callable[..., Site]


def wait_for_end(site: Site) -> int:
    return site.process.wait(timeout=30)


def left_of(family: list[int]) -> list[int]:
    return [pid for pid in family if is_running(pid)]


def wait_for_words(site: Site, words: str) -> None:
    for _ in range(300):
        if words in site.log():
            return
        time.sleep(0.1)
    pytest.fail(f"never said {words!r}:\n{site.log()}")


def test_it_prints_the_address_the_logins_and_whether_code_is_graded(new_site: NewSite) -> None:
    site = new_site(prepared=False)
    username, password = site.login("learner")
    wait_for_words(site, f"Ordinal is at {site.url}/")
    wait_for_words(site, "code is graded")
    assert f"sign in as learner: {username} / {password}" in site.log()
    assert "sign in as instructor: " in site.log()


def test_a_signal_stops_both_and_the_next_start_keeps_what_is_there(new_site: NewSite) -> None:
    site = new_site(prepared=False, WARM_TORCH="1")
    login = site.login("learner")
    for ending in (signal.SIGINT, signal.SIGTERM):
        family = descendants_of(site.process.pid)
        site.process.send_signal(ending)
        assert wait_for_end(site) == 0, site.log()
        assert left_of(family) == []
        assert f"{ending.name}: stopping" in site.log()
        assert "Traceback" not in site.log()
        if ending is signal.SIGINT:
            site.start()
            assert site.login("learner") == login
            assert site.health()["status"] == "ok"


@pytest.mark.parametrize(
    ("part", "command"), [("worker", "manage.py worker"), ("web server", "gunicorn")]
)
def test_when_one_dies_the_other_stops_and_the_reason_is_shown(
    part: str, command: str, new_site: NewSite
) -> None:
    site = new_site()
    family = descendants_of(site.process.pid)
    os.kill(site.pids(command)[0], signal.SIGKILL)
    assert wait_for_end(site) == 1
    assert f"the {part} ended by SIGKILL" in site.log()
    assert left_of(family) == []


def test_killed_outright_it_leaves_nothing(new_site: NewSite) -> None:
    site = new_site(WARM_TORCH="1")
    family = descendants_of(site.process.pid)
    site.process.kill()
    site.process.wait()
    deadline = time.monotonic() + 15
    while (left := left_of(family)) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == []


def test_without_bubblewrap_the_site_runs_and_says_that_code_is_not_graded(
    new_site: NewSite, path_without_bubblewrap: str
) -> None:
    site = new_site(graded=False, PATH=path_without_bubblewrap)
    wait_for_words(site, "code is not graded: ")
    assert "bubblewrap" in site.health()["grading"]["why"]
    assert site.health()["status"] == "degraded"
