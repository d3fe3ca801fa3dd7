"""What the journeys of instructors share: signing in, forms, the keyboard, faults of a page."""

from typing import Any
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.browser import press_until_focused
from tests.courses import at
from tests.site.every_page import PHONE, WIDE, faults_of
from tests.site.test_in_browser import FOCUSED
from tests.teaching.forms import teach
from tests.whole_site import Site

PROMPT = r"How long is the wave of pair $i$, where $\omega_i = b^{-2i/d}$?"
FIELDS = {
    "text-1": r"$2\pi / \omega_i$",
    "reason-1": r"One turn is $2\pi$ radians, at $\omega_i$ radians per token.",
    "text-2": r"$\omega_i$",
    "reason-2": "That is the frequency.",
}

_SESSIONS: dict[tuple[str, str], Any] = {}  # cookies, by address of a site and role


def sign_in(site: Site, page: Page, role: str = "instructor") -> Page:
    """Sign in as the demo account of a role; after the first time by the session of that.

    By a session the page stays where it is; by the form it is at its start page.
    """
    known = _SESSIONS.get((site.url, role))
    if known is not None:
        page.context.add_cookies([known])
        return page
    name, password = site.login(role)
    page.goto(site.url + "/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(password)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(site.url + {"instructor": "/teach/"}.get(role, "/"))
    session = next(one for one in page.context.cookies() if one["name"] == "sessionid")
    _SESSIONS[site.url, role] = {"name": "sessionid", "value": session["value"], "url": site.url}
    return page


def forget_sign_in(site: Site, role: str = "instructor") -> None:
    """Let the next test sign in by the form: the session of this role was ended."""
    _SESSIONS.pop((site.url, role), None)


def new_slug(kind: str) -> str:
    """Return a name that no other test uses."""
    return f"{kind}-{uuid4().hex[:8]}"


def begin(page: Page, address: str, slug: str) -> None:
    """Begin a question or a quiz on its list."""
    page.goto(address)
    page.get_by_label("Name", exact=True).fill(slug)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(slug)


def fill_question(page: Page, prompt: str = PROMPT) -> None:
    """Fill the form of a question with a complete one."""
    page.get_by_label("Question", exact=True).fill(prompt)
    for name, value in FIELDS.items():
        page.locator(f"[name='{name}']").fill(value)
    page.get_by_label("This one is right").first.check()
    page.get_by_label("Step that explains it").select_option("sinusoidal-values/frequencies")


def add_question(page: Page, question: str) -> None:
    """Find a question in the form of a quiz and add it; a Publish at once would overtake it."""
    page.get_by_label("Search names, texts, steps and tags").fill(question)
    page.get_by_role("button", name=f"Add {question}").click()
    expect(page.locator(f"#place-{question}")).to_be_visible()


def published_question(site: Site, page: Page, prompt: str = PROMPT) -> str:
    """Write and publish a question; return its name."""
    slug = new_slug("wave")
    begin(page, site.url + teach("questions/"), slug)
    fill_question(page, prompt)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published: version 1. It is not in any quiz yet")).to_be_visible()
    return slug


def wrong_with(page: Page, *, every_look: bool) -> list[str]:
    """Return what is wrong with the page that is open, wide and on a phone; wide again after."""
    wrong = faults_of(page, (WIDE, PHONE), contrast=every_look, every_look=every_look)
    page.set_viewport_size(WIDE[1])
    page.emulate_media(color_scheme=WIDE[2])
    return wrong


def press_and_look_until_focused(page: Page, selector: str) -> None:
    """Press Tab until the element is focused; everything on the way shows its focus."""

    def check(here: dict[str, Any]) -> None:
        assert here["seen"] or here["inBody"], f"{here['what']} has no visible focus"

    press_until_focused(page, selector, look=FOCUSED, check=check)


def submitted(site: Site, page: Page, exercise: str, code: str) -> int:
    """Submit code as a visitor, wait for its verdict, and return the submission's number."""
    page.goto(site.url + at(f"/exercises/{exercise}/"))
    page.get_by_label("Plain text field").check()
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#verdict [data-verdict]")).to_be_visible()
    address = page.locator("#verdict .meta a").first.get_attribute("href")
    assert address is not None
    return int(address.rstrip("/").rpartition("/")[2])


def published_quiz(site: Site, page: Page, question: str) -> str:
    """Make a quiz of one question and publish it; return its name."""
    begin(page, site.url + teach("quizzes/"), new_slug("class"))
    quiz = page.get_by_role("heading", level=1).inner_text()
    page.get_by_label("Title").fill("Of the class")
    page.get_by_label("Summary").fill("One question.")
    add_question(page, question)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published with 1 question: learners can now find it")).to_be_visible()
    return quiz


def sign_in_on_this_page(page: Page, name: str, password: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    expect(page.locator("body")).to_contain_text("what you typed will be restored")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(password)
    page.locator("main button[type=submit]").click()
