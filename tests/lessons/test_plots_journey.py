"""A plot from its first draft to its reader, in a browser, wide by day and small by night."""

import re
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from quizzes.courses.models import Course, CourseStaff
from quizzes.learners.models import User
from quizzes.worker.plot_drawing import draw_next_plot
from tests.accessible import AXE_SCRIPT, serious_findings
from tests.browser import sideways_scroll
from tests.shared_sandboxes import shared_sandbox

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sandbox,
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]

PROBABILITY = Path(__file__).parent / "probability"
WAIT_MS = 60_000
LOOKS = (
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    folder = shutil.copytree(PROBABILITY, tmp_path / "probability")
    call_command("load_content", str(folder))
    return Course.objects.get(slug="probability")


def draw_all() -> None:
    sandboxes = SimpleNamespace(author=shared_sandbox("author"))
    while draw_next_plot(sandboxes, lambda _: nullcontext()):
        pass


def sign_in(page: Page, server: LiveServer, course: Course) -> None:
    user = User.objects.create_user("ed", password="ed")
    CourseStaff.objects.create(course=course, user=user, role="editor")
    client = Client()
    client.force_login(user, backend="quizzes.learners.account_backends.AccountBackend")
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])


def looks_right(page: Page) -> None:
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []
    assert sideways_scroll(page) <= 0


def test_a_plot_is_written_published_and_read(
    course: Course, live_server: LiveServer, new_page: Callable[..., Page]
) -> None:
    draw_all()
    editor = new_page(**LOOKS[0])
    sign_in(editor, live_server, course)
    editor.goto(f"{live_server.url}/teach/courses/probability/plots/")
    looks_right(editor)
    editor.get_by_label("Name").fill("dice")
    editor.keyboard.press("Enter")
    draws = editor.get_by_role("button", name="Draw", exact=True)
    program = editor.get_by_label("Program")
    program.fill(program.input_value().replace("fair coin", "penny"))
    draws.click()
    expect(editor.locator("#proof-state")).to_contain_text("Waiting to be drawn")
    draw_all()
    expect(editor.locator("#figure-plot")).to_be_visible(timeout=WAIT_MS)
    looks_right(editor)
    editor.get_by_role("button", name="Publish").click()
    expect(editor.get_by_text("Published: lessons can show it")).to_be_visible()
    editor.goto(f"{live_server.url}/teach/courses/probability/lessons/chance/")
    editor.get_by_label("Block", exact=True).select_option("plot:dice")
    editor.get_by_role("button", name="Insert").click()
    expect(editor.locator("[name='text-1']")).to_have_value(
        re.compile("```plot\nid: dice\nslug: dice\n```")
    )
    editor.get_by_role("button", name="Publish").click()
    expect(editor.get_by_text("learners can now read it")).to_be_visible()
    for look in LOOKS:
        reader = new_page(**look)
        reader.goto(f"{live_server.url}/c/probability/learn/chance/turns/")
        expect(reader.locator("#figure-dice")).to_contain_text("2 tosses of a penny.")
        reader.locator("#dice-n").focus()
        reader.keyboard.press("End")
        expect(reader.locator("#figure-dice")).to_contain_text("20 tosses", timeout=WAIT_MS)
        reader.locator("#figure-dice [data-part=cursor]").focus()
        reader.keyboard.press("ArrowRight")
        expect(reader.locator("#figure-dice .live__plot")).to_contain_text("heads k 1: 0.0000")
        looks_right(reader)


def test_words_of_a_step_move_a_plot(
    course: Course, live_server: LiveServer, new_page: Callable[..., Page]
) -> None:
    draw_all()
    page = new_page(**LOOKS[0])
    page.goto(f"{live_server.url}/c/probability/learn/chance/coins/")
    page.get_by_role("button", name="many tosses").click()
    expect(page.locator("#figure-coin")).to_contain_text("40 tosses", timeout=WAIT_MS)
    page.locator("#sums-dice").select_option("20")
    expect(page.locator("#figure-sums")).to_contain_text("Half of the means", timeout=WAIT_MS)
    looks_right(page)
