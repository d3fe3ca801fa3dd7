"""From a superuser's first sign-in to a question that a learner is asked, in a real browser."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.teaching.browsing import (
    begin,
    fill_question,
    new_slug,
    press_and_look_until_focused,
    wrong_with,
)
from tests.teaching.forms import teach
from tests.whole_site import Site

pytestmark = pytest.mark.slow

PASSWORD = "turnips-at-dawn-9"
CREATE_SUPERUSER = """
import os
from django.core.management import call_command
os.environ["DJANGO_SUPERUSER_PASSWORD"] = {password!r}
call_command("createsuperuser", "--noinput", username={name!r}, email="{name}@Uni.example")
"""


def new_superuser(site: Site) -> str:
    """Type what docs/operations.md says, with the answers in the environment; return the name."""
    name = f"root-{uuid4().hex[:8]}"
    site.run(CREATE_SUPERUSER.format(name=name, password=PASSWORD))
    return name


def sign_in(site: Site, page: Page, login: str) -> None:
    page.goto(f"{site.url}/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(login)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(re.compile(rf"{re.escape(site.url)}/(teach/)?$"))


def sign_up(site: Site, page: Page) -> str:
    name = f"ada-{uuid4().hex[:8]}"
    page.goto(f"{site.url}/accounts/signup/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(f"{site.url}/")
    return name


def open_in_menu(page: Page, link: str) -> None:
    page.locator(".menu summary").click()
    page.get_by_role("link", name=link).click()


def give_role(runs: Page, name: str) -> None:
    """Make the account an editor of the home course, by keyboard."""
    runs.get_by_role("link", name="choose the course").click()
    runs.locator("main").get_by_role("link", name="Positional encodings").first.click()
    runs.get_by_role("link", name="People", exact=True).click()
    press_and_look_until_focused(runs, "#account")
    runs.keyboard.type(name)
    runs.keyboard.press("Enter")
    expect(
        runs.get_by_text(f"{name} now has the role editor in Positional encodings.")
    ).to_be_visible()
    expect(runs.locator(".messages")).to_be_focused()
    assert wrong_with(runs, every_look=False) == []


@pytest.mark.soak
def test_from_an_empty_site_to_a_question_that_a_learner_is_asked(site, new_page):
    teacher, runs = new_page(), new_page(color_scheme="light", reduced_motion="reduce")
    name = sign_up(site, teacher)
    sign_in(site, runs, f"{new_superuser(site)}@uni.example")
    open_in_menu(runs, "Teach")
    runs.get_by_role("link", name="Accounts").click()
    press_and_look_until_focused(runs, "#q")
    runs.keyboard.type(name)
    runs.keyboard.press("Enter")
    expect(runs.locator("main .teach-place")).to_have_count(1)
    press_and_look_until_focused(runs, "form[action$='/role/'] button")
    runs.keyboard.press("Enter")
    expect(runs.get_by_text(f"{name} is now an instructor.")).to_be_visible()
    expect(runs.get_by_role("button", name="Remove as instructor")).to_be_visible()
    assert wrong_with(runs, every_look=False) == []
    teacher.goto(site.url)
    open_in_menu(teacher, "Teach")
    expect(teacher.get_by_text("You do not have a role in any course yet.")).to_be_visible()
    assert wrong_with(teacher, every_look=False) == []
    runs.goto(f"{site.url}/teach/people/")
    assert wrong_with(runs, every_look=False) == []
    give_role(runs, name)
    teacher.reload()
    teacher.locator("main").get_by_role("link", name="Positional encodings").first.click()
    expect(teacher.get_by_role("heading", level=1)).to_have_text("Positional encodings")
    ask_a_learner(site, teacher, new_page())


def ask_a_learner(site: Site, teacher: Page, learner: Page) -> None:
    """Write a question and a quiz with it, and have a learner find it there."""
    question, quiz = new_slug("wave"), new_slug("quiz")
    begin(teacher, site.url + teach("questions/"), question)
    fill_question(teacher)
    teacher.get_by_role("button", name="Publish").click()
    expect(teacher.get_by_text("It is not in any quiz yet: add it to one")).to_be_visible()
    begin(teacher, site.url + teach("quizzes/"), quiz)
    teacher.get_by_label("Title").fill(quiz)
    teacher.get_by_label("Summary").fill("One wave.")
    teacher.get_by_label("Search names, texts").fill(question)
    teacher.get_by_role("button", name="Search").click()
    teacher.get_by_role("button", name=re.compile(f"Add.*{question}", re.DOTALL)).click()
    expect(teacher.locator(f"#place-{question}")).to_be_visible()
    teacher.get_by_role("button", name="Publish").click()
    expect(
        teacher.get_by_text("Published with 1 question: learners can now find it.")
    ).to_be_visible()

    learner.goto(f"{site.url}/quiz/")
    learner.get_by_role("link", name=quiz).click()
    learner.get_by_role("button", name="Start").click()
    expect(learner.locator("fieldset.question")).to_contain_text("How long is the wave")
