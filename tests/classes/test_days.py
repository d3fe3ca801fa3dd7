"""A day of an instructor and one of a student of the same class, by keyboard alone.

At 1280 px in the light and at 390 px in the dark; each page they come to is measured on the way.
"""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.accessible import serious_findings
from tests.browser import press_until_focused, sideways_scroll
from tests.teaching.browsing import new_slug, sign_in

pytestmark = [pytest.mark.slow, pytest.mark.soak]

PASSWORD = "turnips-at-dawn-9"
MOST = 140  # presses of Tab: a class of the course offers many things to assign


def press(page: Page, selector: str, key: str = "Enter") -> None:
    press_until_focused(page, selector, most=MOST)
    page.keyboard.press(key)


def write(page: Page, selector: str, text: str) -> None:
    press_until_focused(page, selector, most=MOST)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)


def go(page: Page, selector: str) -> None:
    """Follow a link or press a button, and measure the page that comes."""
    with page.expect_navigation():
        press(page, selector)
    assert sideways_scroll(page) == 0, page.url
    assert serious_findings(page) == [], page.url


def open_class(page: Page, site, title: str) -> str:
    """Open a class from the start page of teaching; return its join link."""
    page.goto(f"{site.url}/teach/")
    go(page, "main a[href='/teach/classes/']")
    write(page, "#id_title", title)
    write(page, "#id_slug", new_slug("class"))
    for field, day in (("#id_begins_on", "2026-01-01"), ("#id_ends_on", "2027-12-31")):
        press_until_focused(page, field)
        page.locator(field).fill(day)  # keys of a date field are those of the reader's country
    go(page, "main form button[type=submit]")
    link = page.locator("main input[readonly]").input_value()
    assert "/join/" in link
    return link


def assign_quiz(page: Page) -> None:
    """Assign the first quiz that has no drawn numbers, with two minutes."""
    go(page, "main a[href$='/assignments/']")
    press_until_focused(page, "#work", most=MOST)
    page.keyboard.type("Test your")
    with page.expect_navigation():
        press(page, "form:has(#work) button")
    write(page, "#id_minutes", "2")
    write(page, "#id_attempts", "1")
    go(page, "main form button.button:not(.button--quiet)[type=submit]")
    expect(page.get_by_text("is assigned.")).to_be_visible()


def join(page: Page, site, link: str) -> str:
    """Come by the link without an account, sign up, and join; return the name."""
    name = f"stu-{uuid4().hex[:8]}"
    page.goto(f"{site.url}/join/{link.partition('/join/')[2]}")
    go(page, "main a[href^='/accounts/signup/']")
    write(page, "[name=username]", name)
    write(page, "[name=password1]", PASSWORD)
    go(page, "main button[type=submit]")
    go(page, "main form button[type=submit]")
    expect(page.locator("main")).to_contain_text("Due")
    return name


def take_quiz(page: Page) -> None:
    """Take the assigned quiz from the page of the class."""
    go(page, "main a[href*='/quiz/']")
    go(page, "main form:has([name=sitting]) button")
    expect(page.locator("fieldset.question").first).to_be_visible()
    expect(page.get_by_text(re.compile(r"\d+ seconds left")).first).to_be_visible()
    names = page.locator("fieldset.question input[type=radio]").evaluate_all(
        "all => [...new Set(all.map(one => one.name))]"
    )
    for name in names:
        press(page, f"[name='{name}']", "Space")
    go(page, "button[value=submit]")
    expect(page.get_by_role("heading", level=1)).to_have_text("Submitted")


def test_a_day_of_an_instructor_and_of_a_student_by_keyboard(site, new_page):
    teacher = new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
    student = new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    sign_in(site, teacher)
    title = new_slug("Autumn")
    link = open_class(teacher, site, title)
    here = teacher.url
    assign_quiz(teacher)
    name = join(student, site, link)
    expect(student.locator(".site-header")).to_contain_text(name)
    take_quiz(student)

    teacher.goto(here)
    go(teacher, "main a[href$='/attempts/']")
    go(teacher, "main table a[href*='/attempts/']")
    press(teacher, "#write-1 > summary")
    write(teacher, "#text-1", "Look at the signs.")
    go(teacher, "#write-1 button")
    expect(teacher.get_by_text("The comment on question 1 was sent.")).to_be_visible()
    go(teacher, "nav a[href$='/assignments/']")
    go(teacher, "main table a[href$='/exceptions/']")
    write(teacher, "#id_attempts", "2")
    press(teacher, "input[name=member]", "Space")
    go(teacher, "main form button.button:not(.button--quiet)[type=submit]")
    expect(teacher.get_by_text(f"Changed for {name}.")).to_be_visible()
    go(teacher, "nav a[href$='/marks/']")
    go(teacher, "main table a[href*='/marks/']")
    write(teacher, "#id_points", "7.5")
    write(teacher, "#id_reason", "A good question in class.")
    go(teacher, "main form button[type=submit]")
    go(teacher, "nav a[href$='/announcements/']")
    write(teacher, "#id_title", "Room 4 today")
    write(teacher, "#id_text", "Not room 3.")
    go(teacher, "main form button[type=submit]")

    student.goto(f"{site.url}/messages/")
    expect(student.get_by_text("Look at the signs.")).to_be_visible()
    expect(student.get_by_text("Room 4 today")).to_be_visible()
    go(student, "main form button[type=submit]")
    go(student, "main a[href^='/class/']")
    expect(student.locator("main")).to_contain_text("7.50")
    expect(student.locator("main")).to_contain_text("A good question in class.")
