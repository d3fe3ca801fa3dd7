"""An instructor writes questions and puts a quiz together, in a real browser on the real site."""

import re
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser import each
from tests.courses import at
from tests.teaching.browsing import (
    FIELDS,
    add_question,
    begin,
    fill_question,
    new_slug,
    published_question,
    sign_in,
    sign_in_on_this_page,
)
from tests.teaching.forms import teach

pytestmark = pytest.mark.slow

# A class that has a quiz to do until tomorrow.
ASSIGN = """
from datetime import timedelta
from django.utils.timezone import now
from quizzes.assessment.models import Quiz
from quizzes.classes.models import Assignment, Cohort
quiz, day = Quiz.objects.get(slug={slug!r}), timedelta(days=1)
cohort = Cohort.objects.create(course=quiz.course, slug={slug!r}, title="Class {slug}",
    begins_on=now().date(), ends_on=now().date() + day, join_code={slug!r}[-8:])
Assignment.objects.create(
    cohort=cohort, quiz=quiz, points=1, opens_at=now() - day, closes_at=now() + day, is_visible=True
)
"""


def published_quiz(site, page: Page, *questions: str) -> str:
    """Put a quiz together by search and publish it; return its name."""
    slug = new_slug("waves")
    begin(page, site.url + teach("quizzes/"), slug)
    page.get_by_label("Title").fill("Waves")
    page.get_by_label("Summary").fill(r"How long $\lambda$ is.")
    for question in questions:
        add_question(page, question)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text(f"Published with {len(questions)} questions")).to_be_visible()
    return slug


@pytest.mark.soak
def test_a_quiz_is_taken_a_question_changes_and_the_past_does_not(site, new_page):
    teacher, student = sign_in(site, new_page()), new_page()
    first, second = published_question(site, teacher), published_question(site, teacher, "Or now?")
    quiz = published_quiz(site, teacher, first, second)
    student.goto(site.url + at("/quiz/"))
    student.locator(f"a[href$='/quiz/{quiz}/']").click()
    student.get_by_role("button", name="Start").click()
    expect(student.locator("fieldset.question")).to_have_count(2)
    assert student.locator("fieldset.question math").count() >= 3
    teacher.goto(site.url + teach(f"questions/{second}/"))
    teacher.get_by_label("Question", exact=True).fill("Or tomorrow?")
    teacher.get_by_role("button", name="Publish").click()
    expect(teacher.get_by_text("Published: version 2 will be asked from now on.")).to_be_visible()
    teacher.get_by_role("link", name="Version 2").last.click()
    expect(teacher.locator("ins")).to_contain_text("tomorrow")
    expect(teacher.locator("del")).to_contain_text("now")
    student.reload()
    expect(student.locator("#question-2")).to_contain_text("Or now?")
    for question in each(student.locator("fieldset.question")):
        question.locator("input[type=radio]").first.check()
    student.get_by_role("button", name="Submit", exact=True).click()
    expect(student.get_by_role("heading", level=1)).to_contain_text("of 2 right")
    expect(student.locator("main")).to_contain_text("Or now?")
    expect(student.locator("main")).to_contain_text("Your answer")
    student.goto(site.url + at(f"/quiz/{quiz}/"))
    student.get_by_role("button", name="Take it again").click()
    expect(student.locator("#question-2")).to_contain_text("Or tomorrow?")


@pytest.mark.soak
def test_without_a_script_a_quiz_is_put_together_and_published(site, new_page):
    teacher = sign_in(site, new_page())
    first, second = published_question(site, teacher), published_question(site, teacher, "Second?")
    page = sign_in(site, new_page(java_script_enabled=False))
    slug = new_slug("plain")
    begin(page, site.url + teach("quizzes/"), slug)
    page.get_by_label("Title").fill("Plain")
    page.get_by_label("Summary").fill("Without a script.")
    for question in (first, second):
        page.get_by_label("Search names, texts, steps and tags").fill(question)
        page.get_by_role("button", name="Search").click()
        page.get_by_role("button", name=f"Add {question}").click()
        expect(page.locator(f"#place-{question}")).to_be_visible()
    page.get_by_role("button", name=f"Move {first} down").click()
    assert page.get_by_label("Title").input_value() == "Plain"
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published with 2 questions")).to_be_visible()
    page.goto(site.url + teach(f"questions/{first}/"))
    page.get_by_role("button", name="Add an option").click()
    expect(page.get_by_text("Option 5")).to_be_visible()
    assert page.locator("[name='text-1']").input_value() == FIELDS["text-1"]
    page.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_text("The draft has been discarded.")).to_be_visible()


def test_a_question_is_previewed_as_it_is_typed_and_saved_once_at_a_time(site, page, page_errors):
    """Of two tabs the second is told and keeps its text; of four requests at once one is saved."""
    page_errors.allow("status of 409")
    sign_in(site, page)
    slug = new_slug("wave")
    begin(page, site.url + teach("questions/"), slug)
    preview = page.locator("#preview")
    expect(preview).to_contain_text("Fix this before publishing")
    fill_question(page)
    expect(preview).to_contain_text("Ready to publish.")
    assert preview.locator("math").count() >= 4
    page.get_by_label("Question", exact=True).fill(r"Broken $\frac{1$")
    expect(preview).to_contain_text("frac")
    fill_question(page)
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_text("Saved as a draft.")).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published: version 1. It is not in any quiz yet")).to_be_visible()

    late = page.context.new_page()
    late.goto(page.url)
    page.get_by_label("Question", exact=True).fill("From the first tab?")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published: version 2")).to_be_visible()
    late.get_by_label("Question", exact=True).fill("From the second tab?")
    late.get_by_role("button", name="Publish").click()
    expect(late.get_by_role("alert")).to_contain_text("Not saved.")
    expect(late.get_by_role("alert").locator("del")).to_contain_text("first")
    assert late.get_by_label("Question", exact=True).input_value() == "From the second tab?"
    page.goto(site.url + teach(f"questions/{slug}/"))
    assert page.get_by_label("Question", exact=True).input_value() == "From the first tab?"
    late.get_by_role("button", name="Publish").click()
    expect(late.get_by_text("Published: version 3")).to_be_visible()

    page.goto(site.url + teach(f"questions/{slug}/"))
    assert save_at_once(site, page, teach(f"questions/{slug}/"), 4) == [302] + [409] * 3
    page.reload()
    assert re.fullmatch(r"Number \d\?", page.get_by_label("Question", exact=True).input_value())


def save_at_once(site, page: Page, path: str, times: int) -> list[int]:
    """Send the form that is open as often at the same moment; return the sorted statuses."""
    fields = dict(page.locator("#writing").evaluate("(form) => [...new FormData(form)]"))
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}

    def save(number: int) -> int:
        body = urlencode(fields | {"prompt": f"Number {number}?", "do": "save"})
        connection = HTTPConnection("127.0.0.1", site.port, timeout=30)
        connection.request("POST", path, body, headers)
        return connection.getresponse().status

    with ThreadPoolExecutor(times) as pool:
        return sorted(pool.map(save, range(times)))


@pytest.mark.soak
def test_what_was_not_saved_outlives_the_tab_and_the_session(site, page, page_errors):
    page_errors.allow("status of 403|Status Error Code 403")
    sign_in(site, page)
    slug = new_slug("typed")
    begin(page, site.url + teach("questions/"), slug)
    address = site.url + teach(f"questions/{slug}/")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto(site.url + teach("quizzes/"))  # nothing typed: nothing asked
    page.goto(address)
    assert asked == []
    page.get_by_label("Question", exact=True).press_sequentially("And why? ")
    page.wait_for_timeout(600)
    page.goto(site.url + teach("quizzes/"))
    assert asked == ["beforeunload"]
    page.goto(address)
    assert "And why?" not in page.get_by_label("Question", exact=True).input_value()
    form, preview = (page.locator(one).bounding_box() for one in ("#writing", "#preview"))
    assert form["x"] + form["width"] <= preview["x"]  # the note leaves the columns as they are
    assert abs(form["y"] - preview["y"]) < 2
    page.get_by_role("button", name="Restore it").click()
    assert page.get_by_label("Question", exact=True).input_value().startswith("And why?")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_text("Saved as a draft.")).to_be_visible()
    assert len(asked) == 1
    expect(page.get_by_role("button", name="Restore it")).to_have_count(0)

    page.get_by_label("Question", exact=True).fill("Typed while signed out?")
    page.context.clear_cookies(name="sessionid")
    expect(page.locator("#keep-state")).to_contain_text("are you still signed in?")
    page.get_by_role("button", name="Save as draft").click()
    sign_in_on_this_page(page, *site.login("instructor"))
    expect(page.locator("#came-back")).to_contain_text("has been restored in this form")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_text("Saved as a draft.")).to_be_visible()
    assert slug in page.url
    assert page.get_by_label("Question", exact=True).input_value() == "Typed while signed out?"


@pytest.mark.soak
def test_a_quiz_is_put_together_by_hand_and_keys_and_published_into_a_class(site, page):
    """What is found must not be exchanged under a press, which would meet another button.

    What is published is never called unsaved, nor what waits until a class has finished.
    """
    sign_in(site, page)
    first, second = published_question(site, page), published_question(site, page, "Second?")
    quiz = new_slug("waves")
    begin(page, site.url + teach("quizzes/"), quiz)
    page.get_by_label("Title").fill("Waves")
    page.get_by_label("Summary").fill(r"How long $\lambda$ is.")
    page.get_by_label("Search names, texts, steps and tags").press_sequentially(first)
    add = page.get_by_role("button", name=f"Add {first}")
    expect(add).to_be_visible()
    page.wait_for_timeout(500)  # nothing is being searched any more
    add.click(delay=500)
    expect(page.locator(f"#place-{first}")).to_be_visible()
    expect(page.get_by_label("Title")).to_have_value("Waves")
    unsaved = page.get_by_text("unsaved text for this page")
    expect(unsaved).to_have_count(0)
    add_question(page, second)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published with 2 questions")).to_be_visible()

    up = page.get_by_role("button", name=f"Move {second} up")
    up.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#order-state")).to_have_text(f"{second} is now number 1 of 2.")
    expect(up).to_be_focused()
    page.get_by_label("Title").focus()
    page.keyboard.press("Enter")  # the default button saves, it does not move or remove
    expect(page.get_by_text("Saved as a draft.")).to_be_visible()
    places = page.locator("#places li")
    assert [one.get_attribute("data-slug") for one in each(places)] == [second, first]

    site.run(ASSIGN.format(slug=quiz))
    page.goto(site.url + teach(f"quizzes/{quiz}/"))
    page.get_by_label("Title").fill("Waves, longer")
    for when, said in (
        ("after it closes", "It will be published when"),
        ("from now on", "Published:"),
    ):
        page.get_by_label(when).check()
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.get_by_text(said).first).to_be_visible()
        expect(unsaved).to_have_count(0)
    page.get_by_role("button", name=f"Remove {first}").press("Space")
    expect(places).to_have_count(1)
    expect(places.first).to_be_focused()
    page.on("dialog", lambda dialog: dialog.accept())  # that place is not saved
    page.goto(site.url + teach(f"questions/{first}/"))
    page.get_by_label("Question", exact=True).fill("How long is it now?")
    page.get_by_label("Tags").fill("waves,length")  # comes back as "waves, length"
    page.get_by_label("from now on").check()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("Published: version 2 will be asked from now on.")).to_be_visible()
    expect(unsaved).to_have_count(0)
    page.reload()
    expect(page.get_by_label("Tags")).to_have_value("waves, length")
    expect(unsaved).to_have_count(0)
