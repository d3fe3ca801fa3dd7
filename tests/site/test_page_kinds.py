"""Every kind of page at every width: axe finds nothing, nothing is too wide, no text is cut off,
and no bar lies over what is to be pressed, with a connection and without.

Every address that is a page is one of the kinds, or has a reason.
"""

import re
from typing import Any

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import Browser, Page, expect

from tests.accessible import covered_controls, findings
from tests.browser import sideways_scroll
from tests.course_folders import POSITIONAL
from tests.learners.addresses import addresses
from tests.site.ahead import missing_ahead
from tests.site.page_kinds import KINDS, MEMBER, OPERATOR, PROTECTED, TEACHER, Kind
from tests.site.prepared_readers import Prepared, open_kind, prepare
from tests.sweep.table import ADDRESSES
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

SIZES = {320: 640, 390: 844, 768: 1024, 1024: 768, 1280: 800, 1440: 900}
BY_DAY = {("exercise", 320), ("exercise, run", 320), ("attempt", 390)}  # bars stand still there
# The administration, addresses from before there were several courses, files of a class, and its
# former page of items.
OTHERS = re.compile(
    r"^(admin/|\^|teach/classes/<slug:cohort>/(\w+\.(csv|json|zip)$|items))",
)
NO_KINDS = {
    # For programs, and files.
    "healthz": "for programs",
    "metrics": "for programs",
    "robots.txt": "for programs",
    "me/data/export/": "a file",
    "teach/courses/<slug:course>/contents/download/": "a file",
    "c/<slug:course>/learn/<slug:lesson>/thumbnail/<str:scheme>.png": "a picture",
    "c/<slug:course>/learn/<slug:lesson>/<slug:step>/thumbnail/<str:scheme>.png": "a picture",
    "c/<slug:course>/pictures/<slug:version>/<str:file>": "a picture",
    "figures/encodings-<slug:scheme>.svg": "a picture",
    "c/<slug:course>/exercises/<slug:slug>/submissions/<int:number>/<slug:layer>.svg": "a picture",
    "c/<slug:course>/exercises/<slug:slug>/runs/<int:number>/value.svg": "a picture",
    "c/<slug:course>/exercises/<slug:slug>/runs/<int:number>/": "of “page of a Run”",
    "c/<slug:course>/exercises/<slug:slug>/figure/<int:number>/": "without a script",
    "c/<slug:course>/exercises/<slug:slug>/figure/<int:number>/<int:place>/share/": (
        "a picture of the figure, and the field of the lab's name"
    ),
    "lab/<int:number>/share/": "leads to the page of the Run",
    "c/<slug:course>/exercises/<slug:slug>/figure/<int:number>/<slug:layer>-<int:place>.svg": (
        "a picture"
    ),
    "c/<slug:course>/exercises/<slug:slug>/xrays/<int:number>/": "without a script",
    "c/<slug:course>/exercises/<slug:slug>/counterexample/<int:number>/": "its result",
    "c/<slug:course>/learn/<slug:lesson>/<slug:step>/run/<slug:block>/<int:number>/": "no script",
    "teach/classes/<slug:cohort>/submissions/<int:number>/<slug:layer>.svg": "a picture",
    "teach/courses/<slug:course>/exercises/<slug:slug>/mistakes/<int:number>/": (
        "needs a course role in a class: test_naming_journey.py"
    ),
    "teach/courses/<slug:course>/exercises/<slug:slug>/mistakes/<int:number>/patch/": "a file",
    "c/<slug:course>/exercises/<slug:slug>/submissions/<int:number>/report.json": "a file",
    "accounts/2fa/recovery-codes/download/": "a file",
    # Parts of pages, which a script puts into them.
    "c/<slug:course>/exercises/<slug:slug>/submissions/<int:number>/verdict/": "a part of a page",
    "teach/courses/<slug:course>/quizzes/<slug:slug>/find/": "a part of a page",
    "lab/<int:number>/": "the kinds lab, run lead to it",
    **dict.fromkeys(
        (
            "teach/courses/<slug:course>/plots/<slug:slug>/",
            "teach/courses/<slug:course>/plots/<slug:slug>/preview/",
            "teach/courses/<slug:course>/plots/<slug:slug>/versions/<int:number>/",
        ),
        "no shipped course has a plot: test_plots_journey.py",
    ),
    # They lead on.
    "c/<slug:course>/deep-dive/": "leads to the lesson",
    "c/<slug:course>/learn/<slug:lesson>/": "leads to a step",
    "accounts/login/code/confirm/": "leads to the sign-in: no codes are mailed",
    "accounts/password/set/": "leads to the password, for an account that has one",
    # What has to come before is nothing that a browser can do on every site.
    "accounts/2fa/authenticate/": "comes within a sign-in; its form is that of 2fa/reauthenticate/",
    "accounts/oidc/<slug:provider_id>/login/": "needs a provider: test_sign_on_in_browser.py",
    "accounts/oidc/<slug:provider_id>/login/callback/": "comes from a provider: the same test",
    "accounts/providers/signup/": "comes from a provider: the same test",
}
# A site has no demo login of these. What their sessions confirmed stays confirmed through a night.
SIGN_IN = """
from time import time
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.test import Client
from quizzes.learners.models import User
from tests.learners.accounts import set_up_app
from tests.sweep.asking import BACKEND
name = {name!r}
user = User.objects.create_user(name, password=name, is_superuser=name == "operator")
record = {{"method": "password", "at": time() + 86400, "reauthenticated": True}}
if name == "protected":
    set_up_app(user.pk)
    RecoveryCodes.activate(user)
    record |= {{"method": "mfa", "type": "totp"}}
client = Client()
client.force_login(user, backend=BACKEND)
session = client.session
session[AUTHENTICATION_METHODS_SESSION_KEY] = [record]
session[f"{{AUTHENTICATION_METHODS_SESSION_KEY}}_user"] = str(user.pk)  # as confirm() does
session.save()
print(session.session_key)
"""
DEMO_CLASS = """
from django.core.management import call_command
call_command("demo_class", people=3)
"""
# Text that reaches beyond a box that cuts off what reaches beyond it, and that cannot be scrolled.
CUT_OFF = """() => {
  const cut = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim()) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest("svg, select, textarea, .visually-hidden, .cm-editor, dialog")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 1) continue;
    for (let around = element; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.clipPath !== "none" || style.textOverflow === "ellipsis") break;
      if (style.overflowX === "auto" || style.overflowX === "scroll") break;
      if (style.overflowX === "visible" || style.display === "inline") continue;
      const frame = around.getBoundingClientRect();
      if (box.right > frame.right + 1 || box.left < frame.left - 1) {
        cut.push(texts.currentNode.data.trim().slice(0, 60));
        break;
      }
    }
  }
  return cut;
}"""


@pytest.fixture(scope="module")
def ready(site: Site, chromium: Browser, request: pytest.FixtureRequest) -> Prepared:
    chosen = (getattr(item, "callspec", None) for item in request.session.items)
    kinds = [one.params["kind"] for one in chosen if one is not None and "kind" in one.params]
    of_pages = [one for one in kinds if isinstance(one, Kind)]
    readers = {kind.reader for kind in of_pages}
    if readers & {MEMBER, TEACHER}:
        site.run(DEMO_CLASS)
    ready = prepare(chromium, site.url, site.login, of_pages)
    for reader in readers & {OPERATOR, PROTECTED}:
        ready.states[reader] = signed_in(site, reader)
    return ready


def signed_in(site: Site, name: str) -> dict[str, Any]:
    """Return the state of a browser in which a new account of this name is signed in."""
    session = site.run(SIGN_IN.format(name=name)).split()[-1]
    cookie = {"name": "sessionid", "value": session, "domain": "127.0.0.1", "path": "/"}
    rest = {"expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}
    return {"cookies": [cookie | rest], "origins": []}


def faults(page: Page) -> list[str]:
    """Return what is wrong with the page that is open, in words; it is offline afterwards."""
    wrong = findings(page)
    if over := sideways_scroll(page):
        wrong.append(f"{over} px too wide")
    wrong += [f"cut off: {text}" for text in page.evaluate(CUT_OFF)]
    wrong += covered_controls(page)
    wrong += [f"not named ahead: {module}" for module in missing_ahead(page.content())]
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_contain_text("You are offline")
    return wrong + [f"offline: {fault}" for fault in covered_controls(page)]


def names_and_widths() -> list[Any]:
    """Return parameters: three pages with bars by day, two of which change under the hand, and all
    others at night."""
    return [
        pytest.param(
            kind,
            width,
            id=f"{kind.name}-{width}",
            marks=[] if (kind.name, width) in BY_DAY else [pytest.mark.soak],
        )
        for kind in KINDS
        for width in SIZES
    ]


def route_of(kind: Kind) -> str | None:
    """Return the route that answers an address of this kind, None if none does."""
    try:
        return resolve(path_of(kind)).route
    except Resolver404:
        return None


def path_of(kind: Kind) -> str:
    """Return an address of this kind without its query, of things whose name or number is 1."""
    return re.sub(r"{\w+}", "1", kind.address).partition("?")[0]


def routes_of_pages() -> set[str]:
    """Return the routes that can be read and are not others'."""
    routes = {address.route for address in addresses()}
    closed = {route for route, line in ADDRESSES.items() if not line.get}
    return {route for route in routes - closed if not OTHERS.match(route)}


def test_there_are_the_kinds_that_a_reader_meets() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert sum(kind.busy for kind in KINDS) == 8


def test_every_page_is_a_kind_or_has_a_reason() -> None:
    routes = {route_of(kind) for kind in KINDS}
    pages = {route.replace("/^", "/") for route in routes_of_pages()}  # as Django resolves them
    assert sorted(pages - routes - NO_KINDS.keys()) == []
    assert sorted(NO_KINDS.keys() - (pages - routes)) == []


def test_only_a_missing_page_has_no_route() -> None:
    assert [kind.name for kind in KINDS if route_of(kind) is None] == ["no such page"]


def test_kinds_name_what_the_course_has() -> None:
    """By night each is asked for its status; what was renamed is found by day."""
    names = {re.sub(r"^\d+-", "", path.stem) for path in POSITIONAL.rglob("*")}
    places = [resolve(path_of(kind)).kwargs for kind in KINDS if POSITIONAL.name in kind.address]
    named = {place[key] for place in places for key in place.keys() & {"slug", "lesson", "step"}}
    assert len(named) >= 10
    assert sorted(named - names) == []


def test_cut_off_text_is_found(new_page) -> None:
    page = new_page()
    page.set_content(
        '<div style="width:60px;overflow:hidden;white-space:nowrap">A long line of words</div>'
        '<div style="width:60px;overflow:auto;white-space:nowrap">A line that scrolls</div>'
    )
    assert page.evaluate(CUT_OFF) == ["A long line of words"]


BARS = """<style>body {{ margin: 0 }} a, button {{ display: block; height: 40px }}
  .bar {{ position: {position}; {edge}: 0; width: 100%; height: 80px; z-index: 1 }}</style>
<a href="#">First</a><p style="height: 2000px">Words</p>
<a href="#">Amid</a><p style="height: 2000px">Words</p>
<div class="bar"><button>In it</button></div><button>Last</button>"""


@pytest.mark.parametrize(
    ("position", "edge", "behind"),
    [
        ("static", "bottom", set()),
        ("fixed", "bottom", {"Amid", "Last"}),
        ("fixed", "top", {"First", "Amid"}),
        ("sticky", "bottom", {"Amid"}),  # it has its own place at the end of the page
    ],
)
def test_controls_behind_a_bar_are_found(new_page, position, edge, behind) -> None:
    page = new_page()
    page.set_content(BARS.format(position=position, edge=edge))
    covered = " ".join(fault.partition(" is behind ")[0] for fault in covered_controls(page))
    assert {name for name in ("First", "Amid", "Last", "In it") if name in covered} == behind
    page.add_style_tag(content=f"html {{ scroll-padding-{edge}: 80px; padding-{edge}: 80px }}")
    assert covered_controls(page) == []


@pytest.mark.parametrize(("kind", "width"), names_and_widths())
def test_a_kind_of_page_at_a_width(
    site, new_page, page_errors, ready: Prepared, kind: Kind, width: int
) -> None:
    page_errors.allow(f"status of {kind.status}|ERR_INTERNET_DISCONNECTED")
    page = new_page(
        viewport={"width": width, "height": SIZES[width]},
        storage_state=ready.states[kind.reader],
        reduced_motion="reduce",
        color_scheme="dark" if list(SIZES).index(width) % 2 else "light",
    )
    open_kind(page, site.url, kind, ready)
    assert faults(page) == []
