"""Listings that are written in the browser: run by a worker, named, filled in, published."""

import re
from contextlib import nullcontext
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from quizzes.courses.models import Course
from quizzes.grader.api import SandboxBroken, SandboxUnavailable
from quizzes.lessons.listing_runs import MOST_WAITING, digest_of
from quizzes.lessons.models import Lesson, ListingRun
from quizzes.worker import listing_runs
from quizzes.worker.listing_runs import forget_old_listing_runs, run_next_listing
from quizzes.worker.pool_keeper import AuthorSandboxes
from tests.authoring.test_check_and_load import run
from tests.authoring.test_listings_are_run import BLOCK, PATH, RIGHT, WRONG, course_of
from tests.factories import create_browser
from tests.lessons.course import write_course
from tests.shared_sandboxes import open_shared
from tests.teaching.lesson_forms import lesson_thing, opened

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.sandbox]
PAGE = "/teach/courses/course/lessons/first/"
STEP = BLOCK.format(code="print(1 + 1)", output="3")


@pytest.fixture(autouse=True)
def step(db):
    """The course of each test has its own steps."""


@pytest.fixture
def course(tmp_path):
    code, said = run("load_content", write_course(tmp_path, {"one": "Words.\n"}))
    assert code == 0, said
    return Course.objects.get(slug="course")


@pytest.fixture
def ada(course):
    return create_browser("ada", role="editor", course="course")


def words_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def send(browser, course, do, **changes):
    return words_of(browser.post(PAGE, opened(course, "first", do=do, **changes), follow=True))


def run_listings(opener=open_shared):
    count = 0
    with AuthorSandboxes(opener) as sandboxes:
        while run_next_listing(sandboxes, lambda _: nullcontext()):
            count += 1
    return count


def faults(course):
    thing = lesson_thing(course, "first")
    draft = course.drafts.get(slug="first")
    return thing.check(thing.content(draft.files)).problems


def test_wrong_listing_is_run_filled_in_and_published(ada, course):
    said = send(ada, course, "publish", **{"text-1": STEP})
    assert "Saved, not published: its listings are run first. Then publish it again." in said
    assert "A sum waits to be run." in said
    assert "1 of 1 still to run." in said
    assert run_listings() == 1
    said = words_of(ada.get(PAGE))
    assert "Line 8: the listing 'A sum' prints '2' here; the page says '3'" in said
    assert "Saved, not published: 1 problem to fix first." in send(ada, course, "publish")
    (fill,) = re.findall(r'value="(fill:1:\w+)"', ada.get(PAGE).content.decode())
    said = send(ada, course, fill)
    assert "Filled in what the program prints, in step 1: look at it." in said
    assert "A sum prints what the page says." in said
    assert "Published with 1 step" in send(ada, course, "publish")
    text = Lesson.objects.get(slug="first").steps.get().text
    assert text == BLOCK.format(code="print(1 + 1)", output="2")
    # Nothing that was run once is run again, unless somebody presses the button.
    assert not run_listings()
    assert "Published with 1 step" in send(ada, course, "publish", **{"title-1": "Another"})
    assert "1 listing is being run. You can leave this page." in send(ada, course, "run")
    assert run_listings() == 1


@pytest.mark.parametrize("name", [name for name in WRONG if name != "warning"])
def test_words_are_those_of_check_content(tmp_path, ada, course, name):
    """A warning names the program's file, which is another one in the browser."""
    code, output, *_ = WRONG[name]
    send(ada, course, "run", **{"text-1": BLOCK.format(code=code, output=output)})
    assert run_listings() == 1
    (fault,) = faults(course)
    ended, said = run("check_content", course_of(tmp_path / "files", code, output))
    assert ended == 1
    words = f"{PATH}:{fault.line}: {fault.message}"
    if name == "unseeded":  # prints another number each time
        said, words = (re.sub(r"prints '[\d.]+'", "prints", text) for text in (said, words))
    assert words in said


@pytest.mark.parametrize("name", RIGHT)
def test_right_listing_has_no_fault(ada, course, name):
    code, output = RIGHT[name]
    send(ada, course, "run", **{"text-1": BLOCK.format(code=code, output=output)})
    assert run_listings() == 1
    assert faults(course) == ()


def test_endless_listing_is_named(ada, course, monkeypatch):
    real = listing_runs.printed_by
    monkeypatch.setattr(
        listing_runs, "printed_by", lambda *args, **named: real(*args, **named, wall_seconds=0.5)
    )
    endless = "import time\nwhile True:\n    time.sleep(0.05)"
    send(ada, course, "run", **{"text-1": BLOCK.format(code=endless, output="x")})
    assert run_listings() == 1
    assert "the listing 'A sum' fails: it does not end within 0.5 s" in words_of(ada.get(PAGE))


def test_output_that_ends_its_block_is_not_filled_in(ada, course):
    code = "print('`' * 3)\nprint('more')"
    send(ada, course, "run", **{"text-1": BLOCK.format(code=code, output="x")})
    assert run_listings() == 1
    said = send(ada, course, "fill")
    assert "The listing 'A sum' was not filled in: expected an output without a line" in said
    assert "Nothing was filled in" in said


def test_changed_program_is_not_filled_in(ada, course):
    """What is typed since the run is another program."""
    send(ada, course, "run", **{"text-1": STEP})
    assert run_listings() == 1
    changed = BLOCK.format(code="print(2 + 2)", output="3")
    said = send(ada, course, f"fill:1:{digest_of('print(1 + 1)' + chr(10))}", **{"text-1": changed})
    assert "Nothing was filled in" in said
    assert "A sum not run yet." in said


def test_program_that_needs_torch_is_left_out(ada, course, monkeypatch):
    monkeypatch.setattr(listing_runs, "can_run_code", lambda code: False)
    send(ada, course, "publish", **{"text-1": STEP})
    assert run_listings() == 1
    assert "A sum not run: torch is not installed here." in words_of(ada.get(PAGE))
    assert "Published with 1 step" in send(ada, course, "publish")


def test_only_editors_run(course):
    viewer = create_browser("vera", role="viewer", course="course")
    answer = viewer.post(PAGE, opened(course, "first", do="run", **{"text-1": STEP}))
    assert answer.status_code == 403
    assert not ListingRun.objects.exists()


def test_crowd_of_listings_is_refused(ada, course):
    blocks = [BLOCK.format(code=f"print({n})", output=n) for n in range(MOST_WAITING + 1)]
    said = send(ada, course, "run", **{"text-1": "\n".join(blocks)})
    assert f"expected at most {MOST_WAITING} in all" in said
    assert not ListingRun.objects.exists()


@pytest.mark.parametrize(
    ("error", "tries"),
    [(SandboxUnavailable("No sandbox.", "Mend it."), 0), (SandboxBroken("gone"), 1)],
)
def test_our_failure_is_no_fault_of_the_program(ada, course, error, tries):
    def fail(_profile):
        raise error

    send(ada, course, "run", **{"text-1": STEP})
    with pytest.raises(type(error)):
        run_listings(fail)
    row = ListingRun.objects.get()
    assert (row.state, row.tries_used, row.leased_until) == ("waiting", tries, None)
    assert run_listings() == 1


def test_program_that_no_worker_survives_fails(ada, course):
    send(ada, course, "run", **{"text-1": STEP})
    ListingRun.objects.update(tries_used=listing_runs.MOST_TRIES)
    assert not run_listings()
    assert "A sum could not be run, which was our fault." in words_of(ada.get(PAGE))
    assert "its listings are run first" in send(ada, course, "publish")
    assert run_listings() == 1


def test_lease_of_a_dead_worker_lapses(ada, course):
    send(ada, course, "run", **{"text-1": STEP})
    assert listing_runs.lease_run() is not None
    assert listing_runs.lease_run() is None
    ListingRun.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert run_listings() == 1
    assert ListingRun.objects.get().printed == "2\n"


def test_old_runs_are_forgotten(ada, course):
    send(ada, course, "run", **{"text-1": STEP})
    run_listings()
    forget_old_listing_runs()
    assert ListingRun.objects.exists()
    ListingRun.objects.update(asked_at=timezone.now() - 2 * listing_runs.RUNS_KEPT)
    forget_old_listing_runs()
    assert not ListingRun.objects.exists()
