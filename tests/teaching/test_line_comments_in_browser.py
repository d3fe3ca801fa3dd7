"""A comment on a line in Chromium: by a press, by the keyboard, without a script, on a phone."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.teaching.browsing import new_slug, press_and_look_until_focused, sign_in, wrong_with

pytestmark = pytest.mark.slow
PROGRAM = """
import json
from datetime import date, timedelta
from django.utils import timezone
from quizzes.classes.models import Membership
from quizzes.classes.services import open_class
from quizzes.exercises.models import Exercise, Submission
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.models import Learner, User

now = timezone.now()
exercise = Exercise.objects.filter(current__isnull=False).order_by("place").first()
teacher = User.objects.get(username={teacher!r})
cohort = open_class(course=exercise.course, by=teacher, slug={name!r}, title="Lines",
                    begins_on=date(2026, 9, 1), ends_on=date(2027, 1, 31))
user = User.objects.create_user({name!r})
Membership.objects.create(cohort=cohort, user=user, name="Ada", state="active",
                          joined_at=now - timedelta(days=1))
line = "x{{}} = 1  # a line that is as long as lines of code may be on a phone, and longer\\n"
code = "".join(line.format(n) for n in range(1, 31))
report = Report(Verdict.NOT_GRADED).as_json()
made = [Submission.objects.create(exercise_version=exercise.current, kind="submit", code=code,
        learner=Learner.objects.create(user=user) if not n else Learner.objects.get(user=user),
        graded_at=now, verdict="not_graded", report=report, our_failure="-", tries_used=3).pk
        for n in range(3)]
print(json.dumps(made))
"""


@pytest.fixture
def pages(site) -> list[str]:
    """Three submissions of one student, the oldest first."""
    name, (teacher, _) = new_slug("lines"), site.login("instructor")
    made = json.loads(site.run(PROGRAM.format(name=name, teacher=teacher)).splitlines()[-1])
    return [f"{site.url}/teach/classes/{name}/submissions/{number}/" for number in made]


def test_a_press_on_a_line_begins_its_comment(site, page: Page, pages):
    sign_in(site, page)
    page.goto(pages[1] + "?verdict=not_graded")
    line, text = page.get_by_label("Line of the code"), page.get_by_label("Comment", exact=True)
    page.get_by_role("link", name="Comment on line 12", exact=True).click()
    expect(line).to_have_value("12")
    expect(text).to_be_focused()
    chosen = page.locator(".code__number[aria-current]")
    expect(chosen).to_have_text("12")
    line.fill("7")
    expect(chosen).to_have_text("7")
    page.locator(".code__number").nth(1).focus()
    page.keyboard.press("Enter")
    expect(line).to_have_value("2")
    text.fill("Why?")
    page.get_by_role("button", name="Send the comment").click()
    expect(page.get_by_role("link", name="line 2", exact=True)).to_be_visible()
    # The list goes on from here, by the keyboard.
    press_and_look_until_focused(page, "[rel=next]")
    page.keyboard.press("Enter")
    page.wait_for_url(pages[0] + "?verdict=not_graded")
    expect(page.get_by_text("Last in the list").first).to_be_visible()
    page.locator("[rel=prev]").first.click()
    page.wait_for_url(pages[1] + "?verdict=not_graded")


@pytest.mark.soak
def test_a_number_is_a_link_without_a_script(site, new_page, pages):
    page = sign_in(site, new_page(java_script_enabled=False))
    page.goto(pages[0])
    page.get_by_role("link", name="Comment on line 12", exact=True).click()
    page.wait_for_url(pages[0] + "?line=12#write")
    expect(page.get_by_label("Line of the code")).to_have_value("12")
    expect(page.locator(".code__number[aria-current]")).to_have_text("12")


@pytest.mark.soak
def test_numbers_fit_a_finger_and_are_not_copied(site, page: Page, pages):
    sign_in(site, page)
    page.goto(pages[0])
    assert wrong_with(page, every_look=False) == []
    page.set_viewport_size({"width": 390, "height": 800})
    box = page.locator(".code__number").nth(3).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    page.locator("pre.code code.language-python").evaluate(
        "(code) => getSelection().selectAllChildren(code)"
    )
    copied = page.evaluate("getSelection().toString()")
    assert [one.split("  #")[0] for one in copied.splitlines()[:3]] == [
        "x1 = 1",
        "x2 = 1",
        "x3 = 1",
    ]
    page.get_by_role("link", name="Comment on line 4", exact=True).click()
    expect(page.get_by_label("Comment", exact=True)).to_be_in_viewport()
