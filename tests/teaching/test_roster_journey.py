"""A roster as German-language Excel saves it is brought in by the page, wide and on a phone."""

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.site.every_page import PHONE, WIDE
from tests.teaching.browsing import sign_in, wrong_with
from tests.whole_site import Site

pytestmark = pytest.mark.slow

OPEN_A_CLASS = """
from datetime import date
from quizzes.classes.services import open_class
from quizzes.courses.models import Course
from quizzes.learners.models import User
open_class(
    course=Course.objects.order_by("pk")[0], by=User.objects.get(username={teacher!r}),
    slug={slug!r}, title="Herbst", begins_on=date(2026, 9, 1), ends_on=date(2027, 1, 31),
)
"""
EXCEL = (
    "Kennung;Nachname;Vorname\r\n"
    "k0071;Müller;Zoë\r\n"
    "k0072;O’Brien;Seán\r\n"
    "k0073;Groß, Jr.;José\r\n"
    "k0073;Groß, Jr.;José\r\n"
)


def new_class(site: Site) -> str:
    """Open a class of the demo instructor; return its name in addresses."""
    slug = f"herbst-{uuid4().hex[:8]}"
    site.run(OPEN_A_CLASS.format(slug=slug, teacher=site.login("instructor")[0]))
    return slug


def choose(page: Page, address: str, data: bytes) -> None:
    """Choose a file on the page of the roster and send it."""
    page.goto(address)
    file = {"name": "liste.csv", "mimeType": "text/csv", "buffer": data}
    page.get_by_label("File", exact=True).set_input_files([file])
    page.get_by_role("button", name="Show what would change").click()


@pytest.mark.parametrize(
    "look", [WIDE, pytest.param(PHONE, marks=pytest.mark.soak)], ids=["wide", "phone"]
)
def test_a_roster_of_german_excel_is_brought_in(site, page, look):
    sign_in(site, page)
    page.set_viewport_size(look[1])
    page.emulate_media(color_scheme=look[2])
    address = f"{site.url}/teach/classes/{new_class(site)}/roster/"
    choose(page, address, EXCEL.encode("cp1252"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Which column is which?")
    expect(page.get_by_text("Read as Windows-1252, separated by semicolons.")).to_be_visible()
    expect(page.get_by_label("Column 2: Nachname")).to_have_value("family")
    expect(page.get_by_label("Column 3: Vorname")).to_have_value("given")
    if look is PHONE:  # the night looks at all three pages
        assert wrong_with(page, every_look=False) == []
    page.get_by_label("Column 1: Kennung").select_option("School login")
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What the roster would change")
    expect(page.get_by_text("so Windows-1252 is a guess")).to_be_visible()
    expect(page.get_by_role("rowheader", name="Zoë Müller")).to_be_visible()
    expect(page.get_by_text("1 line left out")).to_be_visible()
    assert wrong_with(page, every_look=False) == []
    page.get_by_role("button", name="Apply all changes").click()
    expect(page.get_by_text("The roster was applied: 3 added")).to_be_visible()
    with page.expect_download() as download:
        page.goto(address)
        page.get_by_role("link", name="Roster as CSV").click()
    written = download.value.path().read_bytes()
    choose(page, address, written)
    expect(page.get_by_text("4 unchanged")).to_be_visible()
    choose(page, address, EXCEL.encode("cp1252"))
    expect(page.get_by_text("3 unchanged")).to_be_visible()
    if look is PHONE:
        assert wrong_with(page, every_look=False) == []
