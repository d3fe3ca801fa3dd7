"""The form of an exercise in Chromium: editors of code, lines of faults, the keyboard."""

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from quizzes.content_files.files import DiskFiles
from quizzes.exercises.files import read_exercise, save_exercise
from quizzes.exercises.models import Exercise
from tests.accessible import findings
from tests.courses import some_course
from tests.factories import create_browser, create_lesson
from tests.teaching.forms import teach

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SKELETON = settings.COURSE.parents[1] / "authoring/skeleton"


@pytest.fixture
def address(live_server, transactional_db, page: Page) -> str:
    """The page on which a small exercise is written; the browser is signed in as an editor."""
    create_lesson("basics", ["the-mean", "code-it"])
    save_exercise(some_course(), read_exercise(DiskFiles(SKELETON), "moving-average", []))
    session = create_browser("ada", role="editor").cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    return f"{live_server.url}{teach('exercises/moving-average/write/')}"


def test_fault_is_written_proved_and_led_to(page: Page, address: str) -> None:
    page.goto(address)
    part = page.locator("details").filter(has=page.locator("code", has_text="half_precision"))
    part.locator("summary").click()
    editor = part.locator(".cm-content")
    editor.click()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("x = (")
    assert part.locator("textarea").input_value().endswith("x = ()")
    page.keyboard.press("Delete")
    assert findings(page) == []
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.get_by_text("Not proved: 1 problem to fix first.")).to_be_visible()
    link = page.get_by_role("link", name="wrong/half_precision.py:").first
    link.focus()
    page.keyboard.press("Enter")
    expect(part.locator(".cm-content")).to_be_focused()
    number, _, _ = link.inner_text().rpartition(":")[2].partition(" ")
    assert page.evaluate("getSelection().toString()") == "x = ("
    assert part.locator(".cm-lineNumbers .cm-gutterElement").last.inner_text() == number
    assert Exercise.objects.get().versions.count() == 1
