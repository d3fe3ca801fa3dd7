"""The code field in Chromium: editor and plain field, drafts, shortcuts, a lost connection."""

import re

import pytest
from playwright.sync_api import Page, expect

from quizzes.exercises.models import Draft, Submission

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = re.compile("This is your draft|has been restored")  # as it reached the site or not


def open_editor(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".cm-content").wait_for()


FOCUSED = "`${document.activeElement.className} ${document.activeElement.value}`"


def kept_in_browser(page: Page) -> str:
    return str(page.evaluate("JSON.stringify(localStorage)"))


def type_anew(page: Page, text: str) -> None:
    page.get_by_label("Your code").focus()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(text)


@pytest.mark.parametrize("key", ["Tab", pytest.param("Shift+Tab", marks=pytest.mark.soak)])
def test_walking_through_the_page_changes_nothing(page, address, key):
    open_editor(page, address)
    before = page.input_value("#id_code"), page.inner_text(".cm-content"), kept_in_browser(page)
    reached = set()
    for _ in range(60):
        page.keyboard.press(key)
        reached.add(page.evaluate(FOCUSED))
    page.wait_for_timeout(1500)  # a draft would be written by then
    after = page.input_value("#id_code"), page.inner_text(".cm-content"), kept_in_browser(page)
    assert after == before
    assert any("cm-content" in one for one in reached)
    assert any("submit" in one for one in reached), reached
    assert not Draft.objects.exists()
    described = page.get_attribute(".cm-content", "aria-describedby")
    expect(page.locator(f"#{described}")).to_contain_text(
        "Once you type or click in it, Tab indents"
    )


def test_typing_indents_replaces_coloured_text_and_leaves_no_inline_styles(page, address):
    """Errors in the console, which a content security policy writes, fail a test by themselves."""
    open_editor(page, address)
    type_anew(page, "def f(x):\nreturn [x]")
    assert page.input_value("#id_code") == "def f(x):\n    return [x]"
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text('import os\nreturn "a" + 12  # c')
    page.keyboard.press("Shift+Home")
    page.keyboard.type("pass  # no")
    assert page.input_value("#id_code") == "import os\npass  # no"
    page.keyboard.press("Shift+Home")
    page.keyboard.type("(")
    assert page.input_value("#id_code") == "import os\n(pass  # no)"
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text("a\nb")
    assert page.input_value("#id_code") == "a\nb"
    page.keyboard.press("Escape")
    for key in ("Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Tab", "Tab"):
        page.keyboard.press(key)
    assert page.input_value("#id_code") == "a\nb"


def begin_by_typing(page: Page) -> None:
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.type("#")


def begin_by_clicking(page: Page) -> None:
    page.locator(".cm-line").first.click()


DOCSTRING = '''def f():
"""It says "no" to 'x'."""
return {"a": f"{1}"}'''


def test_quotes_stay_as_typed_and_pasted(page: Page, address: str) -> None:
    """The editor closes brackets, and no quotes: each key of a closing triple would add some."""
    open_editor(page, address)
    type_anew(page, DOCSTRING)
    lines = page.input_value("#id_code").split("\n")
    assert [line.strip() for line in lines] == DOCSTRING.split("\n")
    page.keyboard.press("ControlOrMeta+A")
    for letter in DOCSTRING:  # as a phone's keyboard writes: no key goes down
        page.keyboard.insert_text(letter)
    lines = page.input_value("#id_code").split("\n")
    assert [line.strip() for line in lines] == DOCSTRING.split("\n")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.press("ControlOrMeta+X")
    page.keyboard.press("ControlOrMeta+V")
    assert page.input_value("#id_code").split("\n") == lines
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text('"""Doc."""')  # all at once
    assert page.input_value("#id_code") == '"""Doc."""'


@pytest.mark.parametrize(
    "begin", [begin_by_clicking, pytest.param(begin_by_typing, marks=pytest.mark.soak)]
)
def test_in_use_tab_indents_and_escape_then_tab_leaves(page, address, begin):
    open_editor(page, address)
    begin(page)
    before = page.input_value("#id_code")
    page.keyboard.press("Tab")
    indented = page.input_value("#id_code")
    assert indented.replace(" ", "") == before.replace(" ", "")
    assert len(indented) > len(before)
    expect(page.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Escape")
    page.wait_for_timeout(2500)  # longer than CodeMirror's own Esc lasts
    page.keyboard.press("Tab")
    expect(page.get_by_label("Call", exact=True)).to_be_focused()
    assert page.input_value("#id_code") == indented


@pytest.mark.soak
def test_the_plain_field_is_remembered_and_keeps_the_text(page, address):
    open_editor(page, address)
    before = page.input_value("#id_code")
    page.get_by_label("Plain text field").check()
    expect(page.locator("#id_code")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#id_code")).not_to_be_focused()
    page.reload()
    expect(page.locator("#id_code")).to_be_visible()
    expect(page.locator(".cm-content")).to_have_count(0)
    assert page.input_value("#id_code") == before
    page.get_by_label("Plain text field").uncheck()
    expect(page.locator(".cm-content")).to_be_focused()


@pytest.mark.soak
def test_a_phone_starts_with_the_plain_field(new_page, address):
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.goto(address)
    page.get_by_role("tab", name="Code").click()
    expect(page.get_by_label("Plain text field")).to_be_checked()
    expect(page.locator("#id_code")).to_be_visible()


def test_a_draft_outlives_a_reload_the_starter_code_and_an_old_submission(page, address):
    open_editor(page, address)
    page.get_by_role("button", name="Submit").dblclick()
    page.get_by_role("link", name="Reload").wait_for()
    assert Submission.objects.count() == 1
    type_anew(page, "mine = 1")
    page.reload()
    expect(page.locator("#draft-note")).to_contain_text(KEPT)
    expect(page.locator(".cm-content")).to_have_text("mine = 1")
    page.get_by_role("link", name="Reset to the starter code").click()
    expect(page.locator(".cm-content")).to_contain_text("def sinusoidal_table")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".cm-content")).to_have_text("mine = 1")
    assert page.input_value("#id_code") == "mine = 1"
    page.goto(address.split("/c/")[0] + Submission.objects.get().get_absolute_url())
    page.get_by_role("link", name="Continue with this code").click()
    expect(page.locator(".cm-content")).to_contain_text("def sinusoidal_table")
    expect(page.locator("#draft-question")).to_contain_text("You have a draft")
    page.get_by_role("button", name="Use my draft").click()
    expect(page.locator(".cm-content")).to_have_text("mine = 1")


def test_shortcuts_press_the_buttons_and_a_lost_connection_loses_nothing(
    page, address, page_errors
):
    page_errors.allow("ERR_INTERNET_DISCONNECTED|htmx:|sendError|afterRequest")
    open_editor(page, address)
    page.get_by_label("Your code").focus()
    page.keyboard.type("x")
    before = page.input_value("#id_code")
    page.context.set_offline(True)
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verdict")).to_contain_text("Not sent: no connection.")
    assert page.input_value("#id_code") == before
    page.context.set_offline(False)
    for keys, heading in (("Enter", "Check"), ("Shift+Enter", "Submission 1")):
        page.get_by_label("Your code").focus()
        page.keyboard.press(f"Control+{keys}")
        page.get_by_role("link", name="Reload").click()
        expect(page.locator("h1")).to_have_text(heading)
        expect(page.locator("#code-heading + pre, #code-heading ~ *").first).to_contain_text(
            before.split("(")[0].splitlines()[-1]
        )
        open_editor(page, address)


def test_without_javascript_all_stands_on_one_page_and_code_can_be_sent(new_page, address):
    page = new_page(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page.goto(address)
    expect(page.get_by_role("tab")).to_have_count(0)
    expect(page.locator("#task")).to_be_visible()
    page.fill("#id_code", "x = 1")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("h1")).to_have_text("Check")
    expect(page.get_by_role("link", name="Reload")).to_be_visible()
