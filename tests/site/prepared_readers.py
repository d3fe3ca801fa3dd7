"""What the readers of all kinds of pages have done, so that their pages have work to show.

`prepare` does in a browser what people do, on any running site.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import each
from tests.site.page_kinds import (
    CODE,
    COURSE,
    EXERCISE,
    GRADING_MS,
    KINDS,
    LEARNER,
    MEMBER,
    NEWCOMER,
    PRACTISED,
    QUIZ,
    READER,
    SHORT_LESSON,
    SOLVED,
    TEACHER,
    Kind,
)

CONTENT = Path(__file__).resolve().parents[2] / "quizzes/content/positional-encodings/exercises"
PASSWORD = "correct horse battery"
# By name in addresses of kinds: the page of a class that links to it, and the link.
IN_A_CLASS = {
    "code": ("settings/", r"/join/([\w-]+)"),
    "assignment": ("marks/", r"/marks/(\d+)/\d+/"),
    "person": ("marks/", r"/marks/\d+/(\d+)/"),
    "sat": ("attempts/", r"/attempts/(\d+)/"),
    "sent": ("submissions/", r"/submissions/(\d+)/"),
    "not_a_mistake": ("", r'/week/right/\?([^"]+)"'),
    "results": ("results/", r'"\?(quiz=[^"]+)"'),
    "question": ("results/?{results}", r"/results/(\d+)/answers/"),
}

Login = Callable[[str], tuple[str, str]]


@dataclass
class Prepared:
    """What readers bring along, by who they are, and what fills the addresses of their work."""

    states: dict[str, Any] = field(default_factory=lambda: {NEWCOMER: None})
    fill: dict[str, str] = field(default_factory=dict)


def prepare(browser: Browser, base: str, login: Login, kinds: Collection[Kind] = KINDS) -> Prepared:
    """Do what these kinds of pages have to show, as readers who can come to it in a browser.

    The pages of a class need one that the demo instructor teaches, with work in it. Raises
    AssertionError where the site does not answer as expected, such as for want of such a class.
    """
    ready = Prepared()
    readers = {kind.reader for kind in kinds}
    needs_a_class = {MEMBER, TEACHER} & readers or any("{c" in kind.address for kind in kinds)
    context = browser.new_context(base_url=base)
    page = context.new_page()
    page.set_default_timeout(GRADING_MS)
    _work(page, {name for kind in kinds if kind.reader == READER for name in kind.work}, ready)
    ready.states[READER] = context.storage_state()
    context.close()
    if needs_a_class:
        context = browser.new_context(base_url=base)
        _sign_in(context, *login("instructor"))
        ready.states[TEACHER] = context.storage_state()
        ready.fill |= _class(context)
        context.close()
    if LEARNER in readers:
        context = browser.new_context(base_url=base)
        _sign_in(context, *login("learner"))
        ready.states[LEARNER] = context.storage_state()
        context.close()
    if MEMBER in readers:
        context = browser.new_context(base_url=base)
        _join(context, ready.fill["code"])
        ready.states[MEMBER] = context.storage_state()
        context.close()
    return ready


def open_kind(page: Page, base: str, kind: Kind, ready: Prepared) -> None:
    """Open a page of this kind, in a context that has the state of its reader.

    Raises AssertionError if it answers with another status than the kind's, or leads elsewhere.
    """
    address = base + kind.address.format(**ready.fill)
    answer = page.goto(address, wait_until="load")
    assert answer is not None
    assert answer.status == kind.status, f"{kind.name}: {answer.url} answered {answer.status}"
    assert urlsplit(answer.url).path == urlsplit(address).path, f"{kind.name} led to {answer.url}"
    page.wait_for_load_state("networkidle")
    if kind.act is not None:
        kind.act(page)
        page.wait_for_load_state("networkidle")


def _work(page: Page, work: Collection[str], ready: Prepared) -> None:
    if "lesson" in work:
        _finish_lesson(page)
    if "quiz" in work:
        ready.fill["submitted"] = _take_quiz(page)
    if "attempt" in work:
        ready.fill["attempt"] = _begin_quiz(page)
    if "answer" in work:
        ready.fill["answer"] = _practise(page)
    if "mistake" in work:
        wrong = CONTENT / EXERCISE / "wrong" / "swap.py"
        ready.fill["mistake"] = _submit(page, EXERCISE, wrong.read_text())
    if "solved" in work:
        right = CONTENT / SOLVED / "reference.py"
        ready.fill["solved"] = _submit(page, SOLVED, right.read_text())


def _finish_lesson(page: Page) -> None:
    page.goto(f"{COURSE}/learn/{SHORT_LESSON}/")
    for _ in range(20):
        if "finished=" in page.url:
            return
        # Without opening its screens: the button is there for a reader without a script, too.
        with page.expect_navigation():
            page.locator(".step__next").evaluate("(form) => form.submit()")
    raise AssertionError(f"{SHORT_LESSON} does not end: {page.url}")


def _begin_quiz(page: Page) -> str:
    """Begin the quiz, and return the number of the attempt."""
    page.goto(f"{COURSE}/quiz/{QUIZ}/")
    page.locator("main form button").first.click()
    page.wait_for_url("**/attempt/*/")
    return page.url.rstrip("/").rpartition("/")[2]


def _take_quiz(page: Page) -> str:
    number = _begin_quiz(page)
    for question in each(page.locator("fieldset")):
        option = question.locator("input[type=radio]").first
        if option.count():
            option.check()
    with page.expect_navigation():
        page.locator("button[name=do][value=submit]").click()
    anyway = page.locator("button[value=submit-blank]")
    if anyway.count():
        anyway.click()
    page.wait_for_url("**/review/")
    return number


def _practise(page: Page) -> str:
    """Answer a question in practice, and return the number of the answer."""
    page.goto(f"{COURSE}/practice/{PRACTISED}/")
    page.locator("main input[type=radio]").first.check()
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url("**/review/answers/*/")
    return page.url.rstrip("/").rpartition("/")[2]


def _submit(page: Page, exercise: str, code: str) -> str:
    """Submit code, wait for its verdict, and return the number of the submission."""
    page.goto(f"{CODE}{exercise}/")
    page.get_by_label("Plain text field").check()
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#verdict [data-verdict]")).to_be_visible(timeout=GRADING_MS)
    address = page.locator("#verdict .meta a").first.get_attribute("href")
    assert address is not None
    return address.rstrip("/").rpartition("/")[2]


def _sign_in(context: BrowserContext, name: str, password: str) -> None:
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(re.compile(r"//[^/]+/(teach/)?$"))


def _class(context: BrowserContext) -> dict[str, str]:
    """Return the name of a class that the instructor teaches, and numbers of what is in it."""
    cohort = _linked(context, "/teach/classes/", r'"/teach/classes/([\w-]+)/"')
    fill = {"class": cohort}
    for name, (path, link) in IN_A_CLASS.items():
        fill[name] = _linked(context, f"/teach/classes/{cohort}/{path.format(**fill)}", link)
    return fill


def _linked(context: BrowserContext, address: str, link: str) -> str:
    match = re.search(link, context.request.get(address).text())
    assert match, f"{address} has no link {link}: a class with work is made by manage.py demo_class"
    return unescape(match[1])


def _join(context: BrowserContext, code: str) -> None:
    """Sign up and join the class."""
    page = context.new_page()
    page.goto(f"/join/{code}/")
    page.get_by_role("link", name="Sign up and join").click()
    name = f"member-{uuid4().hex[:8]}"
    page.get_by_label("User name").fill(name)
    page.get_by_label("E-mail address").fill(f"{name}@example.org")
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    page.get_by_role("button", name="Join as").click()
    page.wait_for_url("**/class/**")
