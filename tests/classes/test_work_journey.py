"""A day of an instructor and of a student, by keyboard: assign, take, mark, extend, download."""

import csv
import io
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser import press_until_focused
from tests.site.every_page import PHONE, WIDE, faults_of
from tests.teaching.browsing import sign_in

pytestmark = pytest.mark.slow

MAKE = """
from django.utils import timezone
from quizzes.classes.models import Membership
from quizzes.learners.models import Learner, User
from tests.classes.working import a_class, a_quiz
cohort = a_class({name!r}, zone="Asia/Tokyo")
a_quiz({name!r})
for username, role in (({teacher!r}, "instructor"), ({student!r}, "student")):
    user = User.objects.get(username=username)
    Learner.objects.get_or_create(user=user)
    Membership.objects.create(cohort=cohort, user=user, role=role, state="active",
                              name=username.title(), joined_at=timezone.now())
"""


def write(page: Page, selector: str, text: str) -> None:
    """Go to a field with Tab and type over what it has."""
    press_until_focused(page, selector)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def press(page: Page, selector: str, key: str = "Enter") -> None:
    press_until_focused(page, selector)
    page.keyboard.press(key)


def faults(page: Page) -> list[str]:
    """Return what is wrong with the open page, wide and on a phone, light and dark."""
    before = page.viewport_size
    found = faults_of(page, (WIDE, PHONE), contrast=True, every_look=True)
    if before is not None:
        page.set_viewport_size(before)
    return [f"{page.url}: {one}" for one in found]


def test_a_day_of_an_instructor_and_of_a_student(site, new_page):
    name = f"day-{uuid4().hex[:6]}"
    teacher, student = site.login("instructor")[0], site.login("learner")[0]
    site.manage("shell", "-c", MAKE.format(name=name, teacher=teacher, student=student))
    start = f"{site.url}/teach/classes/{name}/"
    wrong: list[str] = []

    # The instructor assigns a quiz. The days are those that the form proposes.
    desk = sign_in(site, new_page(viewport=WIDE[1], reduced_motion="reduce"))
    desk.goto(f"{start}assignments/new/?quiz={name}")
    wrong += faults(desk)
    write(desk, "#id_points", "20")
    write(desk, "#id_minutes", "2")
    press(desk, "main form.teach-form button[type=submit]")
    expect(desk.get_by_text("is assigned.")).to_be_visible()
    wrong += faults(desk)

    # The student reads on a phone what is due, on both clocks, and takes it.
    phone = new_page(viewport=PHONE[1], reduced_motion="reduce", timezone_id="America/New_York")
    sign_in(site, phone, "learner")
    phone.goto(f"{site.url}/class/{name}/")
    expect(phone.locator(".class-next__one")).to_contain_text("23:59 in Tokyo")
    expect(phone.locator(".class-next__one")).to_contain_text("for you")
    wrong += faults(phone)
    press(phone, ".class-next__one a")
    expect(phone.get_by_role("heading", level=1)).to_have_text(name.capitalize())
    expect(phone.get_by_text("2 minutes from the start")).to_be_visible()
    wrong += faults(phone)
    press(phone, "main form:has([name=sitting]) button")
    expect(phone.locator("fieldset.question")).to_have_count(2)
    for number in range(2):
        fieldset = phone.locator("fieldset.question").nth(number)
        fieldset.get_by_role("radio", name="right").focus()
        phone.keyboard.press("Space")
    press(phone, "main button[value=submit]")
    expect(phone.get_by_role("heading", level=1)).to_contain_text("2 of 2 right")
    phone.goto(f"{site.url}/class/{name}/")
    expect(phone.locator(".class-marks__one")).to_contain_text("20.00")

    # The instructor sees the mark and why, makes an exception, sets the mark by hand.
    desk.goto(f"{start}marks/")
    wrong += faults(desk)
    press(desk, ".marks td a")
    expect(desk.get_by_text("2.00 of 2.00, of 20 points.")).to_be_visible()
    wrong += faults(desk)
    write(desk, "#id_points", "18.5")
    write(desk, "#id_reason", "One step was missing.")
    press(desk, "main form.teach-form button[type=submit]")
    expect(desk.get_by_text("Set by hand: One step was missing.")).to_be_visible()
    press(desk, "main a[href*=exceptions]")
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Exceptions")
    press(desk, "#all", "Space")
    write(desk, "#id_attempts", "5")
    press(desk, "main form.teach-form button[type=submit]")
    expect(desk.get_by_text("1 member goes by rules of their own now.")).to_be_visible()
    wrong += faults(desk)
    desk.goto(f"{start}exports/")
    wrong += faults(desk)
    with desk.expect_download() as coming:
        press(desk, "main a[href$='marks.csv']")
    text = coming.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [one["total"] for one in rows] == ["18.50"]

    phone.reload()
    press(phone, ".class-marks__one summary")
    expect(phone.get_by_text("Set by hand: One step was missing.")).to_be_visible()
    wrong += faults(phone)
    assert wrong == []
