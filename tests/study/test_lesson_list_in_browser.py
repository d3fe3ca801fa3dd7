"""The list of lessons in a browser: how high it is, and that all of it can be reached."""

import pytest
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.learners.models import Learner
from tests.courses import at
from tests.shipped_course import load_shipped_course
from tests.study.long_course import STEPS, create_long_course

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

HIGHEST = 1900  # px, in a window of 1280
FAMILIES = ("Why", "Add", "Turn", "Bias", "Far")
HEIGHT = "document.documentElement.scrollHeight"
BESIDE = "document.documentElement.scrollWidth - innerWidth"


def open_list(page: Page, base: str, width: int, fragment: str = "") -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(base + at("/learn/") + fragment)


def half_way(page: Page, base: str, *paths: str) -> None:
    """Let the visitor of the page have read these steps."""
    client = Client()
    for path in paths:
        assert client.post(at(f"/learn/{path}/")).status_code == 302
    assert Learner.objects.count() == 1
    cookies = [
        {"name": name, "value": cookie.value, "url": base}
        for name, cookie in client.cookies.items()
    ]
    page.context.add_cookies(cookies)


def check_list(page: Page, base: str, lessons: int) -> None:
    for width in (1280, 390):
        open_list(page, base, width)
        assert page.evaluate(BESIDE) <= 0, width
        assert page.locator(".stop").count() == lessons
        expect(page.locator(".stop--open")).to_be_visible()
        if width == 1280:
            assert page.evaluate(HEIGHT) <= HIGHEST


@pytest.mark.parametrize(
    ("lessons", "concepts", "families"),
    [
        (12, 26, FAMILIES),
        pytest.param(20, 40, FAMILIES, marks=pytest.mark.soak),
        pytest.param(12, 26, (), marks=pytest.mark.soak),
        pytest.param(20, 40, (), marks=pytest.mark.soak),
        pytest.param(20, 40, FAMILIES[:1], marks=pytest.mark.soak),
    ],
)
def test_list_of_any_course_is_short(
    page: Page, live_server: LiveServer, lessons: int, concepts: int, families: tuple[str, ...]
) -> None:
    create_long_course(lessons, concepts, families)
    check_list(page, live_server.url, lessons)
    middle = lessons // 2
    read = [f"lesson-{number}/{step}" for number in range(1, middle) for step in STEPS]
    half_way(page, live_server.url, *read, f"lesson-{middle}/{STEPS[0]}")
    check_list(page, live_server.url, lessons)


def test_list_of_the_shipped_course_is_short(page: Page, live_server: LiveServer) -> None:
    load_shipped_course()
    check_list(page, live_server.url, 15)
    half_way(page, live_server.url, "sinusoidal-values/adding-a-vector", "rope/many-pairs")
    check_list(page, live_server.url, 15)


def test_an_address_opens_the_part_of_its_lesson(page: Page, live_server: LiveServer) -> None:
    create_long_course(12, 26)
    open_list(page, live_server.url, 1280, "#lesson-9")
    expect(page.locator("#lesson-9")).to_be_in_viewport()
    expect(page.locator("#lesson-1")).to_be_visible()


def test_keys_open_a_part_and_reach_its_lessons(page: Page, live_server: LiveServer) -> None:
    create_long_course(12, 26)
    open_list(page, live_server.url, 1280)
    summary = page.locator(".part > summary").last
    expect(page.get_by_role("link", name="The lesson that has number 7", exact=True)).to_be_hidden()
    summary.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    link = page.get_by_role("link", name="The lesson that has number 7", exact=True)
    expect(link).to_be_focused()


def test_paper_shows_every_lesson_and_step(page: Page, live_server: LiveServer) -> None:
    create_long_course(12, 26)
    open_list(page, live_server.url, 1280)
    expect(page.locator("#lesson-9")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator("#lesson-9")).to_be_visible()
    assert page.locator(".leg:visible").count() == 12 * len(STEPS)
    page.emulate_media(media="screen")
