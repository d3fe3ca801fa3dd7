"""`make run` starts web and worker together and leaves nothing behind, however it ends."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.course_folders import environment_with_home
from tests.lessons.course import write_course
from tests.whole_site import Site, descendants_of, is_running

pytestmark = pytest.mark.races

NewSite = Callable[..., Site]

# A class in the course of one step has people, but no work, which takes half a minute to make up.
AS_NEW = """
from quizzes.courses.models import Course
from quizzes.learners.models import User
User.objects.all().delete()
Course.objects.get(slug="{slug}").make_home()
"""


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


@pytest.mark.parametrize(
    "ending", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)]
)
def test_it_says_what_is_there_keeps_it_and_leaves_nothing_however_it_ends(
    new_site: NewSite, tmp_path: Path, ending: signal.Signals
) -> None:
    """One site, started again after each end: a start takes 5 s of the processor.

    Its home course is of one step: to read the shipped courses anew takes 3 s more.
    """
    course = write_course(tmp_path, {"one": "A step.\n"})
    site = new_site(prepared=False, **environment_with_home(course))
    login = site.login("learner")
    wait_for_words(site, f"Ordinal is at {site.url}/")
    wait_for_words(site, "code is graded")
    assert "sign in as learner: {} / {}".format(*login) in site.log()
    assert "sign in as instructor: " in site.log()
    assert "a demo class" not in site.log()
    ends_by(ending, site)

    site.run(AS_NEW.format(slug=course.name))
    site.command.append("--demo-class")  # as `make run` has it; without accounts, it is new
    site.start()
    wait_for_words(site, "a demo class is being prepared")
    wait_for_words(site, "the demo class is ready: 200 students")
    assert site.login("learner") == login
    assert site.health()["status"] == "ok"
    ends_with("worker", "manage.py worker", site)

    site.command.append("--prepared")
    site.environment["WARM_TORCH"] = "1"
    site.start()
    family = descendants_of(site.process.pid)
    site.process.kill()
    site.process.wait()
    deadline = time.monotonic() + 15
    while (left := left_of(family)) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert left == []


def ends_by(ending: signal.Signals, site: Site) -> None:
    """A signal stops both, and says so."""
    family = descendants_of(site.process.pid)
    site.process.send_signal(ending)
    assert wait_for_end(site) == 0, site.log()
    assert left_of(family) == []
    assert f"{ending.name}: stopping" in site.log()
    assert "Traceback" not in site.log()


def ends_with(part: str, command: str, site: Site) -> None:
    """When one dies the other stops, and the reason is shown."""
    family = descendants_of(site.process.pid)
    os.kill(site.pids(command)[0], signal.SIGKILL)
    assert wait_for_end(site) == 1
    assert f"the {part} ended by SIGKILL" in site.log()
    assert left_of(family) == []


def test_without_bubblewrap_the_site_runs_and_says_that_code_is_not_graded(
    new_site: NewSite, path_without_bubblewrap: str
) -> None:
    site = new_site(graded=False, PATH=path_without_bubblewrap)
    wait_for_words(site, "code is not graded: ")
    assert "bubblewrap" in site.health()["grading"]["why"]
    assert site.health()["status"] == "degraded"
    ends_with("web server", "gunicorn", site)
