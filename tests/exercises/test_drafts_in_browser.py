"""Drafts in Chromium: two tabs, two devices, no connection, signing in: nothing is lost."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from quizzes.exercises.models import Draft
from quizzes.learners.models import Learner, User
from tests.browser import PageErrors
from tests.exercises import making

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = "Object.keys(localStorage).filter((key) => key.startsWith('ordinal:code::'))"
WRITE_AND_CLEAR = """() => {
  const code = document.querySelector("#id_code");
  code.value = "offline = 2";
  code.dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector("#draft-note button").click();
}"""


def write(page: Page, text: str) -> None:
    page.get_by_label("Your code").focus()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(text)


def open_page(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator(".cm-content").wait_for()
    return page


def saved(page: Page) -> None:
    expect(page.locator("#draft-state")).to_have_text("Draft saved.")


def arrived(page: Page, text: str) -> None:
    """Wait until the site has this draft: where one was saved before, the page says so already."""
    for _ in range(150):
        if Draft.objects.filter(code=text).exists():
            return
        page.wait_for_timeout(100)
    pytest.fail(f"{text!r} did not arrive: {list(Draft.objects.values_list('code', flat=True))}")


@pytest.fixture
def two_devices(
    new_page: Callable[..., Page], page_errors: PageErrors, address: str
) -> tuple[Page, Page]:
    """Two browsers of one learner, who wrote in the first before the second was opened."""
    page_errors.allow("409")  # Chromium writes every refused request to its console
    first = open_page(new_page(), address)
    write(first, "zero = 0")
    saved(first)
    second = new_page()
    second.context.add_cookies(first.context.cookies())
    open_page(second, address)
    return first, second


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("Keep what is in the field", "two = 22"),
        pytest.param("Use the other version", "one", marks=pytest.mark.soak),
    ],
)
def test_two_devices_are_asked_which_draft_goes_on(two_devices, answer, left):
    first, second = two_devices
    question = second.locator("#draft-question")
    expect(second.locator(".cm-content")).to_have_text("zero = 0")
    expect(second.locator("#draft-note")).to_contain_text("This is your draft from")
    expect(question).to_be_hidden()
    write(first, "one")
    arrived(first, "one")
    write(second, "two = 2")
    expect(question).to_contain_text("There is another draft from")
    # A tab that is closed with the question open loses nothing.
    second.get_by_label("Your code").press_sequentially("2")
    second.wait_for_timeout(400)
    second.reload()
    expect(question).to_be_visible()
    assert second.input_value("#id_code") == "two = 22"
    assert Draft.objects.get().code == "one"
    question.get_by_text("Show the other version").click()
    expect(question.locator("pre")).to_have_text("one")
    with second.expect_response("**/draft/"):
        second.get_by_role("button", name=answer).click()
    expect(question).to_be_hidden()
    assert second.input_value("#id_code") == left
    assert Draft.objects.get().code == left


@pytest.mark.soak
def test_a_second_tab_follows_while_nothing_is_written_in_it_and_is_asked_then(page, address):
    open_page(page, address)
    second = open_page(page.context.new_page(), address)
    write(page, "first tab")
    expect(second.locator(".cm-content")).to_have_text("first tab")
    saved(page)
    write(second, "second tab")
    arrived(second, "second tab")
    expect(page.locator(".cm-content")).to_have_text("second tab")
    expect(page.locator("#draft-question")).to_be_hidden()
    assert Draft.objects.count() == 1
    for tab, text in ((page, "one"), (second, "two")):
        tab.evaluate(
            "text => { const code = document.querySelector('#id_code'); code.value = text;"
            " code.dispatchEvent(new Event('input', { bubbles: true })); }",
            text,
        )
    for _ in range(150):
        if any(tab.locator("#draft-question").is_visible() for tab in (page, second)):
            break
        page.wait_for_timeout(100)
    else:
        pytest.fail("neither tab asks")
    texts = {page.input_value("#id_code"), second.input_value("#id_code")}
    assert texts == {"one", "two"}


def test_a_draft_of_a_moment_without_a_connection_or_before_leaving_arrives(
    page, address, page_errors
):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    open_page(page, address)
    page.context.set_offline(True)
    write(page, "offline = 1")
    expect(page.locator("#draft-state")).to_contain_text("saved in this browser")
    assert not Draft.objects.exists()
    page.context.set_offline(False)
    saved(page)
    arrived(page, "offline = 1")
    write(page, "hasty")
    page.goto("about:blank")
    open_page(page, address)
    expect(page.locator(".cm-content")).to_have_text("hasty")
    arrived(page, "hasty")


@pytest.mark.soak
def test_after_signing_in_with_another_draft_it_is_asked(page, address):
    open_page(page, address)
    write(page, "on the train")
    saved(page)
    learner = Learner.objects.get()
    Draft.objects.create(learner=learner, exercise=making.Exercise.objects.get(), code="at home")
    page.reload()
    expect(page.locator("#draft-question")).to_contain_text("before you signed in")
    with page.expect_response("**/draft/"):
        page.get_by_role("button", name="Keep what is in the field").click()
    assert Draft.objects.count() == 1
    page.reload()
    expect(page.locator("#draft-question")).to_be_hidden()


def session_of(name: str) -> str:
    """Made before a page is open, which may write in the same SQLite; "" for nobody."""
    client = Client()
    if name:
        client.force_login(User.objects.create_user(name))
    return client.cookies["sessionid"].value if name else ""


def become(page: Page, address: str, session: str) -> None:
    """Have another session from now on, without signing out: as if the last one ran out."""
    page.context.clear_cookies()
    if session:
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def test_the_next_person_at_this_browser_gets_no_draft_until_all_is_deleted(page, address):
    """A visitor, two accounts one after the other, and the next visitor."""
    persons = [("", "visitor"), *((session_of(name), name) for name in ("ada", "ben"))]
    for number, (session, name) in enumerate([*persons, ("", "newcomer")]):
        become(page, address, session)
        open_page(page, address)
        page.wait_for_timeout(500)
        expect(page.locator("#draft-note")).to_be_hidden()
        assert "private" not in page.input_value("#id_code")
        assert Draft.objects.count() == number
        write(page, f"private = '{name}'")
        saved(page)
    page.goto(address.split("/c/")[0] + "/me/data/")
    assert page.evaluate("Object.keys(localStorage).length")
    page.get_by_label("Type").fill("delete")
    page.get_by_role("button", name="Delete what is stored").click()
    expect(page.locator("body")).to_contain_text("has been deleted")
    assert page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('ordinal:'))") == []


@pytest.mark.soak
@pytest.mark.parametrize("first", ["", "ada"])
@pytest.mark.parametrize("then", ["", "ben"])
def test_the_next_person_at_this_browser_gets_no_draft(page, address, first, then):
    sessions = [session_of(first), session_of(then)]
    become(page, address, sessions[0])
    open_page(page, address)
    write(page, "private = 1")
    saved(page)
    become(page, address, sessions[1])
    open_page(page, address)
    page.wait_for_timeout(500)
    expect(page.locator("#draft-note")).to_be_hidden()
    assert "private" not in page.input_value("#id_code")
    assert Draft.objects.count() == 1


def test_what_a_newcomer_wrote_offline_is_theirs_and_never_an_account_s(page, address, page_errors):
    page_errors.allow("ERR_INTERNET_DISCONNECTED")
    ada = session_of("ada")
    open_page(page, address)
    page.context.set_offline(True)
    write(page, "offline = 1")
    expect(page.locator("#draft-state")).to_contain_text("saved in this browser")
    page.goto("about:blank")
    page.context.set_offline(False)
    become(page, address, ada)
    open_page(page, address)
    page.wait_for_timeout(500)
    assert "offline" not in page.input_value("#id_code")
    page.context.clear_cookies()
    open_page(page, address)
    expect(page.locator(".cm-content")).to_have_text("offline = 1")
    expect(page.locator("#draft-note")).to_contain_text("has been restored. Shared computer?")
    expect(page.get_by_role("button", name="Clear it")).to_be_visible()
    page.evaluate(WRITE_AND_CLEAR)
    page.wait_for_timeout(500)  # what was being kept would be by now
    expect(page.locator("#draft-note")).to_contain_text("The draft has been cleared.")
    page.reload()
    expect(page.locator("#draft-note")).to_be_hidden()
    assert "offline" not in page.input_value("#id_code")
    assert page.evaluate(KEPT) == []


OLD_KEY = "ordinal:code::sinusoidal-table"  # from before there were several courses
NEW_KEY = "ordinal:code::positional-encodings/sinusoidal-table"


def record(code: str, **facts: object) -> str:
    return json.dumps({"code": code, "savedAt": 1_760_000_000_000, "token": "", **facts})


def store(page: Page, address: str, records: dict[str, str]) -> None:
    """Write what a browser kept, from a page of the site that keeps nothing itself."""
    page.goto(address.split("/c/", maxsplit=1)[0] + "/accounts/login/")
    page.evaluate("records => Object.assign(localStorage, records)", records)


def codes_kept(page: Page) -> dict[str, str]:
    script = "Object.entries(localStorage).filter(([key]) => key.startsWith('ordinal:code:'))"
    return {key: json.loads(text)["code"] for key, text in page.evaluate(script)}


@pytest.mark.soak
def test_an_owner_s_text_from_before_courses_is_taken_over(page, address):
    """With the one that waits for an answer, which is asked about as before."""
    open_page(page, address)
    write(page, "mine = 1")
    saved(page)
    open_page(page, address)  # which knows the owner of the draft by now
    (mine,) = (key for key in codes_kept(page) if "::" not in key)
    old = mine.replace("positional-encodings/", "")
    kept = page.evaluate("key => localStorage[key]", mine)
    store(page, address, {old: kept, f"{old}:asked": record("asked = 2")})
    page.evaluate("key => localStorage.removeItem(key)", mine)
    open_page(page, address)
    expect(page.locator("#draft-question")).to_be_visible()
    assert page.input_value("#id_code") == "asked = 2"
    assert codes_kept(page) == {mine: "mine = 1", f"{mine}:asked": "asked = 2"}


@pytest.mark.soak
def test_what_an_old_tab_writes_on_is_asked_about_and_not_lost(page, address):
    store(page, address, {OLD_KEY: record("old tab"), NEW_KEY: record("new tab")})
    open_page(page, address)
    expect(page.locator("#draft-question")).to_be_visible()
    assert codes_kept(page) == {NEW_KEY: "new tab", f"{NEW_KEY}:asked": "old tab"}
    page.evaluate("([key, text]) => localStorage[key] = text", [OLD_KEY, record("third")])
    page.reload()
    expect(page.locator("#draft-question")).to_be_visible()
    assert codes_kept(page)[OLD_KEY] == "third", "it waits until there is a place for it"
    with page.expect_response("**/draft/"):
        page.get_by_role("button", name="Use the other version").click()
    assert Draft.objects.get().code == "new tab"
    assert sorted(codes_kept(page).values()) == ["new tab", "third"]


@pytest.mark.soak
def test_a_text_from_before_courses_is_taken_over_once_and_by_no_other_course(page, address):
    other = making.ready_exercise(course="another-course").get_absolute_url()
    store(page, address, {OLD_KEY: record("old = 1")})
    open_page(page, address.split("/c/")[0] + other)
    page.wait_for_timeout(500)
    assert "old" not in page.input_value("#id_code")
    assert codes_kept(page) == {OLD_KEY: "old = 1"}
    write(page, "there = 1")
    saved(page)
    assert Draft.objects.get().exercise.course.slug == "another-course"
    open_page(page, address)
    expect(page.locator(".cm-content")).to_have_text("old = 1")
    expect(page.locator("#draft-note")).to_contain_text("This is your draft from")
    assert OLD_KEY not in codes_kept(page)
    assert list(codes_kept(page).values()).count("old = 1") == 1
    write(page, "new = 2")
    arrived(page, "new = 2")
    page.reload()
    expect(page.locator(".cm-content")).to_have_text("new = 2")
    assert OLD_KEY not in codes_kept(page)
