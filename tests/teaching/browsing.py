"""What the journeys of instructors share: signing in, beginning and filling a question."""

from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.teaching.forms import teach
from tests.whole_site import Site

PROMPT = r"How long is the wave of pair $i$, where $\omega_i = b^{-2i/d}$?"
FIELDS = {
    "text-1": r"$2\pi / \omega_i$",
    "reason-1": r"One turn is $2\pi$ radians, at $\omega_i$ radians per token.",
    "text-2": r"$\omega_i$",
    "reason-2": "That is the frequency.",
}


def sign_in(site: Site, page: Page, role: str = "instructor") -> Page:
    """Sign in as the demo account of a role."""
    name, password = site.login(role)
    page.goto(site.url + "/accounts/login/")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(password)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(site.url + "/")
    return page


def new_slug(kind: str) -> str:
    """Return a name that no other test uses."""
    return f"{kind}-{uuid4().hex[:8]}"


def begin(page: Page, address: str, slug: str) -> None:
    """Begin a question or a quiz on its list."""
    page.goto(address)
    page.get_by_label("Name", exact=True).fill(slug)
    page.get_by_role("button", name="Begin").click()
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
    expect(page.get_by_text("Published: version 1. No quiz asks it yet")).to_be_visible()
    return slug
