"""A mistake without a name gets one, by keyboard, on a wide screen and on a phone."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.teaching.browsing import press_and_look_until_focused, sign_in, wrong_with

pytestmark = [pytest.mark.soak, pytest.mark.sandbox]

SIZES = {1280: 800, 390: 844}
PATIENCE_MS = 240_000
# A class of the demo instructor with seven students who make one mistake, as their pages send it.
PLANT = """
from datetime import timedelta
from uuid import uuid4
from django.utils import timezone
from quizzes.classes.models import Cohort, Membership
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner, User
now = timezone.now()
course = Course.objects.get(slug="positional-encodings")
cohort = Cohort.objects.create(
    course=course, slug="unnamed-{size}", title="Unnamed", timezone="UTC", join_code="UN{size}",
    begins_on=(now - timedelta(days=20)).date(), ends_on=(now + timedelta(days=60)).date(),
)
def join(user, role):
    Membership.objects.create(
        cohort=cohort, user=user, role=role, name=user.username, state="active",
        joined_at=now - timedelta(days=20),
    )
join(User.objects.get(username="{teacher}"), "instructor")
exercise = Exercise.objects.select_related("current").get(course=course, slug="sinusoidal-table")
reference = exercise.current.files["reference.py"]
for number in range(7):
    user = User.objects.create(username=f"hopper-{size}-{{number}}")
    learner = Learner.objects.create(user=user)
    join(user, "student")
    code = "# hopper\\n" + reference.replace("{right}", "{wrong}")
    code = code.replace("angles", f"angles_hopper{{number}}")
    submit_code(exercise=exercise, learner=learner, kind="submit", code=code, form_key=uuid4())
"""
MISTAKES = {1280: ("np.cos(", "-np.cos("), 390: ("np.sin(", "-np.sin(")}


def press(page: Page, selector: str) -> None:
    """Go to a button or a link by Tab, looking at every focus, and press it."""
    press_and_look_until_focused(page, selector)
    page.keyboard.press("Enter")


def type_into(page: Page, selector: str, text: str) -> None:
    press_and_look_until_focused(page, selector)
    page.keyboard.type(text)


def look(page: Page, size: int) -> None:
    """Find nothing wrong with the page, in both sizes and colours; go back to this size."""
    assert wrong_with(page, every_look=True) == []
    page.set_viewport_size({"width": size, "height": SIZES[size]})


@pytest.mark.parametrize("size", SIZES)
def test_unnamed_group_is_named_by_keyboard(size, site, new_page, page_errors):
    page_errors.allow(r"status of 400 .*/mistakes/")  # a form that has faults
    right, wrong = MISTAKES[size]
    teacher, _ = site.login("instructor")
    site.run(PLANT.format(size=size, teacher=teacher, right=right, wrong=wrong))
    viewport = {"width": size, "height": SIZES[size]}
    page = sign_in(site, new_page(viewport=viewport, reduced_motion="reduce"))
    week = f"{site.url}/teach/classes/unnamed-{size}/"
    heading = page.get_by_text("No name yet: 7 students, 1 exercise")
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not heading.count():
        assert time.monotonic() < deadline, site.log()
        page.goto(week)
        page.wait_for_timeout(500)
    look(page, size)
    press(page, "button[value=mistake]")
    expect(page.get_by_role("heading", name="Name a mistake")).to_be_visible()
    code = page.get_by_label("Code that makes it").input_value()
    assert "hopper" not in code
    assert "#" not in code
    press(page, "button[value=prove]")
    expect(page.get_by_role("alert")).to_contain_text("Saved, not proved: 4 fields to fix first.")
    look(page, size)
    type_into(page, "#does", f"You give minus the {'cosine' if size == 1280 else 'sine'}.")
    type_into(page, "#should", "It should have no minus.")
    press_and_look_until_focused(page, "#breaks")
    page.keyboard.type("3b" if size == 1280 else "3a")
    press_and_look_until_focused(page, "#confirmed")
    page.keyboard.press("Space")
    press(page, "button[value=prove]")
    publish = page.get_by_role("button", name="Publish a new version")
    expect(publish).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text("Code of this group will get this name.")).to_be_visible()
    look(page, size)
    press(page, "button[value=publish]")
    expect(page.get_by_text("names this mistake.")).to_be_visible(timeout=PATIENCE_MS)
    look(page, size)
    press(page, "a.button[href*='/regrade/']")
    press(page, "button[value=begin]")
    apply = page.get_by_role("button", name="Apply")
    while not apply.count():
        assert time.monotonic() < deadline + PATIENCE_MS / 1000, site.log()
        page.wait_for_timeout(500)
        page.reload()
    press(page, "button[value=apply]")
    expect(page.get_by_text("Done: 7 submissions regraded.")).to_be_visible()
    page.goto(week)
    expect(page.get_by_role("heading", name="You give minus the")).to_be_visible()
    expect(heading).to_have_count(0)
    look(page, size)
