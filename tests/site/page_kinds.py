"""One page of each kind that the site has, and how a reader comes to see it.

For the contact sheets of tools/take_contact_sheets.py, and for tests of all kinds at all widths.
`prepare` does in a browser what a learner does, so that pages have work to show.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser import each

COURSE = "/c/positional-encodings"
TEACH = "/teach/courses/positional-encodings"
CONTENT = Path(__file__).resolve().parents[2] / "quizzes/content/positional-encodings/exercises"
SHORT_LESSON = "learned"
EXERCISE, SOLVED, QUIZ = "sinusoidal-table", "inv-freq", "alibi-quiz"
ASKED = "alibi-where"  # by that quiz
GRADING_MS = 60_000
NEWCOMER, READER, TEACHER = "newcomer", "reader", "teacher"

Login = Callable[[str], tuple[str, str]]
Look = Callable[[Page], object]


@dataclass(frozen=True)
class Kind:
    """A page: its address, whose it is, and what is done on it before it is looked at.

    `address` may name what `prepare` found, as `{attempt}`. `busy`: one of the eight that are
    looked at in every way. `work`: what a reader has done before; others see no difference.
    """

    name: str
    address: str
    reader: str = NEWCOMER
    act: Look | None = None
    busy: bool = False
    work: tuple[str, ...] = ("lesson", "quizzes", "mistake", "solved")


@dataclass
class Prepared:
    """What readers bring along, by who they are, and addresses of their work."""

    states: dict[str, Any] = field(default_factory=lambda: {NEWCOMER: None})
    addresses: dict[str, str] = field(default_factory=dict)


def _open_search(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("rotary")
    expect(page.locator("dialog[open] a").first).to_be_visible()


def _check(page: Page) -> None:
    """Check the starter, which fails; a page without a script goes to the check's own page."""
    tab = page.get_by_role("tab", name="Code")
    if tab.is_visible():
        tab.click()
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("[data-verdict]").first).to_be_visible(timeout=GRADING_MS)


def _open_screens(page: Page) -> None:
    """Open every screen of a step."""
    page.evaluate("location.hash = document.querySelectorAll('[data-screens] > *').length")


def _refuse_sign_up(page: Page) -> None:
    page.get_by_label("User name").fill("a b")
    page.get_by_label("Password").first.fill("12345678")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("[aria-invalid=true]").first).to_be_visible()


KINDS = (
    Kind("start page", "/", busy=True),
    Kind("start page, answered", "/?notices=yes"),
    Kind("start page of a reader", "/", READER),
    Kind("courses", "/courses/"),
    Kind("another course", "/c/attention-from-scratch/"),
    Kind("lessons", f"{COURSE}/learn/", busy=True),
    Kind("lesson finished", f"{COURSE}/learn/?finished={SHORT_LESSON}", READER, work=("lesson",)),
    Kind("first step", f"{COURSE}/learn/why-order/shuffled-sentence/"),
    Kind(
        "step with figures",
        f"{COURSE}/learn/sinusoidal-values/seeing-it/",
        act=_open_screens,
        busy=True,
    ),
    Kind(
        "step with formulas", f"{COURSE}/learn/relative-shift/after-projections/", act=_open_screens
    ),
    Kind("step with an exercise", f"{COURSE}/learn/sinusoidal-values/code-it/", act=_open_screens),
    Kind("notation", f"{COURSE}/learn/why-order/notation/"),
    Kind("card", f"{COURSE}/deep-dive/3/"),
    Kind("explorer", "/explore/"),
    Kind("explorer, compared", "/explore/?enc=nope/compare&enc=rope/scores", busy=True),
    Kind("values of a figure", "/figures/sinusoidal/heatmap.html"),
    Kind("quizzes", f"{COURSE}/quiz/"),
    Kind("quiz", f"{COURSE}/quiz/{QUIZ}/", READER),
    Kind("attempt", "{attempt}", READER, busy=True),
    Kind("quiz review", "{quiz_review}", READER),
    Kind("exercises", f"{COURSE}/exercises/", READER),
    Kind("exercise", f"{COURSE}/exercises/{EXERCISE}/", act=_check, busy=True),
    Kind("exercise with history", f"{COURSE}/exercises/{EXERCISE}/", READER),
    Kind("submission with a mistake", "{mistake}", READER),
    Kind("submission solved", "{solved}", READER, work=("solved",)),
    Kind("right solution", f"{COURSE}/exercises/{SOLVED}/solution/", READER),
    Kind("map", f"{COURSE}/map/", busy=True),
    Kind("map, a concept open", f"{COURSE}/map/?focus=rope", READER),
    Kind("map as an outline", f"{COURSE}/map/outline/"),
    Kind("progress", f"{COURSE}/progress/", READER, busy=True),
    Kind("review", "/review/", READER),
    Kind("practice", f"{COURSE}/practice/adds-or-multiplies/", READER),
    Kind("my data", "/me/data/", READER),
    Kind("search", f"{COURSE}/search/?q=rotary"),
    Kind("search dialog", "/", act=_open_search),
    Kind("accessibility", "/accessibility/"),
    Kind("sign in", "/accounts/login/"),
    Kind("sign up, refused", "/accounts/signup/", act=_refuse_sign_up),
    Kind("password reset", "/accounts/password/reset/"),
    Kind("no such page", "/no/such/page/"),
    Kind("teach: overview", "/teach/", TEACHER),
    Kind("teach: course", f"{TEACH}/", TEACHER),
    Kind("teach: class", f"{TEACH}/class/", TEACHER),
    Kind("teach: learners", f"{TEACH}/learners/", TEACHER),
    Kind("teach: submissions", f"{TEACH}/submissions/", TEACHER),
    Kind("teach: question", f"{TEACH}/questions/which-paper/", TEACHER),
    Kind("teach: quiz", f"{TEACH}/quizzes/test-your-understanding/", TEACHER),
    Kind("teach: exercise", f"{TEACH}/exercises/{EXERCISE}/", TEACHER),
    Kind(
        "teach: regrade answers",
        f"{TEACH}/questions/{ASKED}/regrade/?version=1&rule=drop",
        TEACHER,
    ),
    Kind("teach: regrade submissions", f"{TEACH}/exercises/{EXERCISE}/regrade/", TEACHER),
    Kind("teach: week of a class", "{class}", TEACHER),
    Kind("teach: results of a class", "{class}results/?quiz=test-your-understanding", TEACHER),
)


def prepare(browser: Browser, base: str, login: Login, kinds: Collection[Kind] = KINDS) -> Prepared:
    """Work as a visitor, sign in as an instructor, and return what both have then.

    They do what these kinds of pages have to show.
    """
    ready = Prepared()
    work = {one for kind in kinds if kind.reader == READER for one in kind.work}
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(GRADING_MS)
    if "lesson" in work:
        _finish_lesson(page, base)
    if "quizzes" in work:
        ready.addresses["quiz_review"] = _take_quiz(page, base)
        ready.addresses["attempt"] = _begin_quiz(page, base)
    if "mistake" in work:
        wrong = CONTENT / EXERCISE / "wrong" / "swap.py"
        ready.addresses["mistake"] = _submit(page, base, EXERCISE, wrong.read_text())
    if "solved" in work:
        right = CONTENT / SOLVED / "reference.py"
        ready.addresses["solved"] = _submit(page, base, SOLVED, right.read_text())
    ready.states[READER] = context.storage_state()
    context.close()
    if all(kind.reader != TEACHER for kind in kinds):
        return ready
    ready.states[TEACHER] = _sign_in(browser, base, *login("instructor"))
    ready.addresses["class"] = _find_class(browser, base, ready.states[TEACHER])
    return ready


def open_kind(page: Page, base: str, kind: Kind, ready: Prepared) -> None:
    """Open a page of this kind, in a context that has the state of its reader."""
    page.goto(base + kind.address.format(**ready.addresses), wait_until="load")
    page.wait_for_load_state("networkidle")
    if kind.act is not None:
        kind.act(page)
        page.wait_for_load_state("networkidle")


def _finish_lesson(page: Page, base: str) -> None:
    page.goto(f"{base}{COURSE}/learn/{SHORT_LESSON}/")
    for _ in range(20):
        if "finished=" in page.url:
            return
        # Without opening its screens: the button is there for a reader without a script, too.
        with page.expect_navigation():
            page.locator(".step__next").evaluate("(form) => form.submit()")
    raise AssertionError(f"{SHORT_LESSON} does not end: {page.url}")


def _begin_quiz(page: Page, base: str) -> str:
    page.goto(f"{base}{COURSE}/quiz/{QUIZ}/")
    page.locator("main form button").first.click()
    page.wait_for_url("**/attempt/*/")
    return page.url.removeprefix(base)


def _take_quiz(page: Page, base: str) -> str:
    address = _begin_quiz(page, base)
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
    return f"{address}review/"


def _submit(page: Page, base: str, exercise: str, code: str) -> str:
    page.goto(f"{base}{COURSE}/exercises/{exercise}/")
    page.get_by_label("Plain text field").check()
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#verdict [data-verdict]")).to_be_visible(timeout=GRADING_MS)
    found = page.locator("#verdict .meta a").first.get_attribute("href")
    assert found is not None
    return found.removeprefix(base)


def _sign_in(browser: Browser, base: str, name: str, password: str) -> Any:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{base}/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{base}/")
    state = context.storage_state()
    context.close()
    return state


def _find_class(browser: Browser, base: str, state: Any) -> str:
    """Return the address of a class that the instructor teaches; open one where there is none."""
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    page.goto(f"{base}/teach/classes/")
    first = page.locator(".teach-place a").first
    if not first.count():
        page.get_by_label("Title").fill("Looked at")
        page.get_by_label("Name in addresses").fill("looked-at")
        page.get_by_role("button", name="Open the class").click()
        page.wait_for_url("**/teach/classes/looked-at/")
        page.goto(f"{base}/teach/classes/")
    found = first.get_attribute("href")
    assert found is not None
    context.close()
    return found
