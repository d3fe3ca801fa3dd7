"""A class is opened in the time zone of the browser, whatever name the zone has there."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

import pytest
from playwright.sync_api import expect

from quizzes.classes.models import Cohort
from quizzes.teaching.people import time_zones
from quizzes.teaching.people.time_zones import RENAMED, listed_name, other_names, zone_names
from tests.classes.pages import teach_class
from tests.classes.test_joining import opened
from tests.factories import browser_of
from tests.teaching.browsing import sign_in

DAYS = [datetime(2026, month, 1, tzinfo=UTC) for month in (1, 4, 7, 10)]


@pytest.fixture
def forget():
    """Have the names read anew, before and after a test that changes what the machine knows."""
    for read in (zone_names, other_names):
        read.cache_clear()
    yield
    for read in (zone_names, other_names):
        read.cache_clear()


def test_every_zone_of_the_list_has_a_clock():
    assert len(zone_names()) == len(set(zone_names())) > 300
    assert all(ZoneInfo(name) for name in zone_names())
    assert not set(zone_names()) & set(other_names())


def test_another_name_has_the_same_clock():
    known = available_timezones()
    assert set(other_names().values()) <= set(zone_names())
    for other, name in other_names().items():
        if other in known:
            clocks = [
                [day.astimezone(ZoneInfo(one)).isoformat() for day in DAYS] for one in (other, name)
            ]
            assert clocks[0] == clocks[1], other
    assert listed_name("Asia/Calcutta") == "Asia/Kolkata"
    assert listed_name("Middle/Earth") == "Middle/Earth"


@pytest.mark.parametrize("lacks", ["old", "new"])
def test_machine_may_know_one_of_the_names(monkeypatch, forget, lacks):
    gone = set(RENAMED if lacks == "old" else RENAMED.values())
    known = (available_timezones() | RENAMED.keys() | set(RENAMED.values())) - gone
    monkeypatch.setattr(time_zones, "available_timezones", lambda: known)
    for old, new in RENAMED.items():
        for name in (old, new):
            assert listed_name(name) in zone_names(), name


@pytest.mark.django_db
def test_form_takes_former_names(course, ida):
    opened(ida, course, zone="Asia/Calcutta")
    made = Cohort.objects.get()
    assert made.timezone == "Asia/Kolkata"
    Cohort.objects.update(timezone="Europe/Kiev")  # of a class from before
    page = browser_of(ida).get(teach_class("settings/", made)).content.decode()
    assert '<option value="Europe/Kyiv" selected>' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("before", "after", "warns"),
    [
        ("Europe/Vienna", "UTC", True),
        ("Europe/Vienna", "Europe/Vienna", False),
        ("Europe/Kiev", "Europe/Kyiv", False),
    ],
)
def test_another_zone_points_at_late_marks(course, ida, before, after, warns):
    opened(ida, course)
    Cohort.objects.update(timezone=before)
    made = Cohort.objects.get()
    sent = {
        "title": made.title,
        "begins_on": made.begins_on,
        "ends_on": made.ends_on,
        "zone": after,
    }
    page = browser_of(ida).post(teach_class("settings/", made), sent, follow=True)
    said = "Late days now follow the new time zone: check the marks for late work."
    assert (said in page.content.decode()) == warns
    assert Cohort.objects.get().timezone == after


@pytest.mark.django_db
def test_list_says_utc_without_a_script(course, ida):
    page = browser_of(ida).get("/teach/classes/").content.decode()
    assert re.findall(r'<option value="([^"]*)" selected>[^<]*', page)[-1] == "UTC"
    chosen = opened(ida, course, title="", zone="Asia/Tokyo").content.decode()
    assert '<option value="Asia/Tokyo" selected>' in chosen
    assert "data-other-names" not in chosen  # what was chosen stays


@pytest.mark.covering(most=1)
@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("Asia/Kolkata", "Asia/Kolkata"),
        ("Europe/Kyiv", "Europe/Kyiv"),
        ("Etc/GMT+5", "UTC"),  # no zone that people choose
    ],
)
@pytest.mark.sandbox
def test_browser_presets_its_zone(site, new_page, page_errors, zone, expected):
    page_errors.allow("status of 400")
    page = sign_in(site, new_page(timezone_id=zone))
    page.goto(f"{site.url}/teach/classes/")
    expect(page.get_by_label("Time zone")).to_have_value(expected)
    page.get_by_label("Time zone").select_option("Asia/Tokyo")
    page.get_by_label("Title").fill("!!!")
    page.get_by_role("button", name="Open the class").click()
    expect(page.get_by_text("Type a name")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    page = sign_in(site, new_page(timezone_id="Europe/Vienna", java_script_enabled=False))
    page.goto(f"{site.url}/teach/classes/")
    expect(page.get_by_label("Time zone")).to_have_value("UTC")
