"""People come in by the provider in Chromium: into a class, back for what asks, and out again."""

import json
import re
from pathlib import Path

import pytest
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import Page, expect

from quizzes.classes.models import Membership
from quizzes.learners.models import User
from tests.accessible import findings, small_targets
from tests.browser import each, press_until_focused, sideways_scroll
from tests.courses import SLUG
from tests.factories import (
    assign,
    create_account,
    create_class,
    create_lesson,
    create_member,
    create_quiz,
)
from tests.learners.accounts import PASSWORD, make_stale_sessions
from tests.learners.sign_on.provider import Person, Provider, configured
from tests.teaching.browsing import fill_question

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def check(page: Page) -> None:
    """Expect one of the site's pages that fits, and whose parts can be named and pressed."""
    assert sideways_scroll(page) == 0
    assert findings(page, contrast=False) == []
    assert small_targets(page) == []


def press(page: Page, action: str) -> None:
    """Press the button of a form by keyboard alone."""
    press_until_focused(page, f'main form[action="/accounts/{action}/"] button')
    page.keyboard.press("Enter")


def sign_in_there(page: Page, name: str, password: str) -> None:
    if name:
        page.get_by_label("Username").fill(name)
    page.get_by_label("Password").first.fill(password)
    page.keyboard.press("Enter")


def test_student_comes_in_and_leaves(
    provider: Provider, live_server, new_page, tmp_path: Path
) -> None:
    provider.allow(f"{live_server.url}/accounts/oidc/uni/login/callback/")
    person = provider.person("mia", first_name="Mia")
    create_member(create_class(), "Mia M", state="invited", email=person.address)
    page = new_page(viewport={"width": 390, "height": 780})
    page.goto(f"{live_server.url}/accounts/login/")
    check(page)
    press(page, "oidc/uni/login")
    page.wait_for_url(f"{provider.url}/**")
    sign_in_there(page, person.name, person.password)
    page.wait_for_url("**/accounts/providers/signup/")
    check(page)
    expect(page.get_by_label("User name")).to_have_value(person.name)
    press(page, "providers/signup")
    page.wait_for_url("**/class/autumn/")
    expect(page.get_by_text("You have joined Class autumn.")).to_be_visible()
    check(page)
    user = User.objects.get()
    assert (user.username, user.email) == (person.name, person.address)
    page.goto(f"{live_server.url}/accounts/providers/")
    check(page)
    press(page, "providers")
    expect(page.get_by_text("Uni is your only way to sign in")).to_be_visible()
    # Later: the session is old, so the provider is asked again, and asks for the password.
    make_stale_sessions()
    page.goto(f"{live_server.url}/me/data/export/")
    check(page)
    press(page, "oidc/uni/login")
    page.wait_for_url(f"{provider.url}/**")
    with page.expect_download() as download:
        sign_in_there(page, "", person.password)
    download.value.save_as(tmp_path / "export.json")
    assert person.subject in (tmp_path / "export.json").read_text()
    page.get_by_label("to confirm").fill("delete")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The data that identifies you has been deleted.")).to_be_visible()
    assert not User.objects.exists()
    assert not SocialAccount.objects.exists()


# ---- whole journeys


def come_in(page: Page, provider: Provider, site: str, person: Person) -> None:
    """Sign in for the first time by the provider's button."""
    provider.allow(f"{site}/accounts/oidc/uni/login/callback/")
    page.goto(f"{site}/accounts/login/")
    press(page, "oidc/uni/login")
    page.wait_for_url(f"{provider.url}/**")
    sign_in_there(page, person.name, person.password)


def confirm_there(page: Page, provider: Provider, person: Person, text: str) -> None:
    """Confirm at the provider, which asks for the password, and expect what the page says then."""
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm that it is you")
    expect(page.get_by_label("Password")).to_have_count(0)
    check(page)
    press(page, "oidc/uni/login")
    page.wait_for_url(f"{provider.url}/**")
    sign_in_there(page, "", person.password)
    expect(page.get_by_text(text)).to_be_visible()


def import_roster(page: Page, site: str, lines: list[str]) -> None:
    """Sign in as the instructor, and apply a roster by the page for it."""
    page.goto(f"{site}/accounts/login/?next=/teach/classes/autumn/roster/")
    page.get_by_label("User name or e-mail address").fill("ida")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    data = "\n".join(["login_id;name", *lines]).encode()
    file = {"name": "roster.csv", "mimeType": "text/csv", "buffer": data}
    page.get_by_label("File", exact=True).set_input_files([file])
    page.get_by_role("button", name="Show what would change").click()
    page.get_by_role("button", name="Apply all changes").click()
    expect(page.get_by_text(f"The roster was applied: {len(lines)} added")).to_be_visible()


@pytest.mark.soak
def test_student_of_roster_works_and_leaves(
    provider: Provider, live_server, new_page, settings, tmp_path: Path
) -> None:
    settings.OIDC_PROVIDERS = configured(provider, login_claim="preferred_username")
    provider.switch(claims={"preferred_username": "k0123"})
    ida = create_account("ida", role="owner", password=PASSWORD)
    cohort = create_class(by=ida)
    assign(cohort, create_quiz())
    teacher = new_page()
    import_roster(teacher, live_server.url, [f"k{n:04};Student {n}" for n in range(200)])
    person = provider.person("mia")
    page = new_page(viewport={"width": 390, "height": 780})
    come_in(page, provider, live_server.url, person)
    press(page, "providers/signup")
    page.wait_for_url("**/class/autumn/")
    expect(page.get_by_text("You have joined Class autumn.")).to_be_visible()
    assert (sideways_scroll(page), findings(page, contrast=False)) == (0, [])
    page.get_by_role("link", name="Codes").first.click()
    page.get_by_role("button", name="Start").click()
    for question in each(page.locator("fieldset.question")):
        question.get_by_label("right").check()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2 of 2 right")
    teacher.goto(f"{live_server.url}/teach/classes/autumn/people/?q=k0123")
    row = teacher.get_by_role("row").filter(has_text="Student 123")
    expect(row).to_contain_text("Joined")
    page.goto(f"{live_server.url}/me/data/")
    expect(page.get_by_role("row").filter(has_text="Accounts you sign in with")).to_contain_text(
        "1"
    )
    check(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download everything").click()
    download.value.save_as(tmp_path / "export.json")
    export = json.loads((tmp_path / "export.json").read_text())
    (identity,), (place,) = export["accounts you sign in with"], export["memberships"]
    assert (identity["uid"], identity["extra_data"]["login"]) == (person.subject, "k0123")
    assert (place["name"], place["login_id"]) == ("Student 123", "k0123")
    make_stale_sessions()
    page.get_by_label("to confirm").fill("delete")
    page.keyboard.press("Enter")
    confirm_there(page, provider, person, "Nothing has been changed yet")
    page.get_by_label("to confirm").fill("delete")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The data that identifies you has been deleted.")).to_be_visible()
    assert list(User.objects.all()) == [ida]
    assert not SocialAccount.objects.exists()
    gone = Membership.objects.get(state="deleted")
    assert (gone.name, gone.login_id, gone.email) == ("", "", "")
    assert Membership.objects.filter(state="invited").count() == 199
    people = f"{live_server.url}/teach/classes/autumn/people/"
    teacher.goto(f"{people}?q=k0123")
    expect(teacher.get_by_text("Student 123")).to_have_count(0)
    teacher.goto(f"{people}?state=deleted")
    expect(teacher.get_by_role("link", name=re.compile("deleted person 1"))).to_be_visible()


@pytest.mark.soak
def test_instructor_without_password_publishes_and_removes(
    provider: Provider, live_server, new_page, settings
) -> None:
    settings.LOCAL_PASSWORDS = False
    person = provider.person("ida")
    ida = create_account(person.name, role="owner", email=person.address, verified=True)
    facts = {"iss": provider.url, "email": person.address}
    SocialAccount.objects.create(user=ida, provider="uni", uid=person.subject, extra_data=facts)
    create_account("bea", role="editor")
    create_lesson("sinusoidal-values", ("frequencies",))
    page = new_page(viewport={"width": 390, "height": 780})
    come_in(page, provider, live_server.url, person)
    page.wait_for_url(f"{live_server.url}/")
    teach = f"{live_server.url}/teach/courses/{SLUG}"
    page.goto(f"{teach}/questions/")
    page.get_by_label("Name", exact=True).fill("wave")
    page.get_by_role("button", name="Create").click()
    fill_question(page)
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published: version 1. It is not in any quiz yet")).to_be_visible()
    make_stale_sessions()
    page.goto(f"{teach}/people/")
    remove = page.get_by_role("button", name=re.compile("Remove bea"))
    remove.click()
    confirm_there(page, provider, person, "Nothing has been changed yet")
    assert ida.course_roles.model.objects.count() == 2
    remove.click()
    expect(page.get_by_role("button", name=re.compile("Remove bea"))).to_have_count(0)
    assert [row.user for row in ida.course_roles.model.objects.all()] == [ida]
