"""Personal links by mail: who gets one, what the mail says, and how long a link lives."""

from contextlib import nullcontext
from datetime import timedelta
from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.test import Client
from django.utils import timezone

from quizzes.classes.join_codes import hash_of
from quizzes.classes.link_mails.plan import can_be_mailed, plan_links
from quizzes.classes.models import LinkMail, LinkRun, Membership
from quizzes.classes.services import invite
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import PeriodicTask
from quizzes.learners.models import User
from quizzes.study.my_data import export_of
from quizzes.worker import periodic_tasks
from tests.classes.link_mails.runs import (
    PAGE,
    about_of_log,
    addresses,
    invited,
    link_to,
    send_all,
    start,
    states,
)
from tests.classes.pages import count_queries, teach_class
from tests.classes.test_roster import make_account, make_stale, sign_in
from tests.factories import browser_of, create_account, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


# ---- the way of a link


@pytest.mark.both_databases
def test_link_goes_from_roster_to_class(cohort, ida):
    invited(cohort, "ada", "bea")
    create_member(cohort, "nobody", state="invited")
    browser = browser_of(ida)
    roster = browser.get(teach_class("roster/")).content.decode()
    assert f'href="{PAGE}"' in roster
    shown = browser.get(PAGE)
    assert [len(getattr(shown.context["plan"], name)) for name in ("without_link", "mailed")] == [
        2,
        0,
    ]
    assert [place.name for place in shown.context["plan"].without_address] == ["nobody"]
    assert not LinkRun.objects.exists()
    pressed = browser.post(PAGE, {"digest": shown.context["plan"].digest}, follow=True)
    assert "2 links are being sent." in pressed.content.decode()
    assert not mail.outbox
    work = periodic_tasks.PeriodicWork(process=uuid4(), keep_lease=lambda _renew: nullcontext())
    rows = PeriodicTask.objects.filter(name="send personal links")
    while LinkRun.objects.filter(ended_at=None).exists():
        rows.update(due_at=timezone.now() - timedelta(days=1))
        assert work.run_next()
    assert addresses() == ["ada@u.example", "bea@u.example"]
    assert about_of_log() == ["2 of 2 links"]
    sam = create_account("sam")
    assert browser_of(sam).post(link_to("ada@u.example")).status_code == 302
    place = Membership.objects.get(name="ada")
    assert (place.user, place.state, place.invite_ends_at) == (sam, "active", None)
    assert states() == {"bea": "sent"}
    people = browser.get(teach_class("people/")).content.decode()
    day = (timezone.now() + timedelta(days=30)).astimezone(cohort.zone)
    assert f"valid until {day.day} {day:%b %Y}" in people
    assert people.count("Link sent") == 1


def test_mail_says_who_invites_and_until_when(cohort, ida):
    User.objects.filter(pk=ida.pk).update(first_name="Ida", last_name="Rhodes")
    invited(cohort, "ada")
    invited(cohort, "tom", role="assistant")
    start(cohort, ida)
    send_all()
    letter = {message.to[0]: message for message in mail.outbox}["ada@u.example"]
    end = Membership.objects.get(name="ada").invite_ends_at.astimezone(cohort.zone)
    assert letter.subject == "Ordinal: Invitation to Class autumn"
    assert letter.body.startswith(
        "Hello ada,\n\nIda Rhodes has invited you to join the class “Class autumn” on Ordinal.\n"
        f"The class is part of the course “{cohort.course.title}”.\n"
    )
    assert f"until {end.day} {end:%B %Y, %H:%M} (Europe/Vienna)." in letter.body
    assert "If this message was not meant for you, please delete it." in letter.body
    assert any("“Class autumn” as an assistant" in message.body for message in mail.outbox)
    assert letter.message()["Auto-Submitted"] == "auto-generated"


def test_stored_token_is_a_hash(cohort, ida):
    invited(cohort, "ada")
    start(cohort, ida)
    send_all()
    token = link_to("ada@u.example").split("/")[2]
    assert Membership.objects.get(name="ada").invite_token == hash_of(token)
    stored = [list(model.objects.values()) for model in (Membership, LinkMail, LinkRun)]
    assert token not in str(stored) + str(list(AuditEntry.objects.values()))


def test_request_host_is_in_no_link(cohort, ida, settings):
    settings.ALLOWED_HOSTS, settings.SITE_ADDRESS = ["*"], "https://real.example"
    invited(cohort, "ada")
    browser = browser_of(ida)
    shown = browser.get(PAGE, headers={"host": "evil.example"})
    assert "<code>https://real.example</code>" in shown.content.decode()
    digest = shown.context["plan"].digest
    browser.post(PAGE, {"digest": digest}, headers={"host": "evil.example"})
    send_all()
    assert "https://real.example/invited/" in mail.outbox[0].body
    assert "evil" not in str(mail.outbox[0].message())


@pytest.mark.parametrize(
    "title",
    ["A\nBcc: eve@evil.example", "A\r\n\r\nbody", "é" * 200, "x " * 99 + "x", "שלום", "\u2028A"],
)
def test_titles_and_names_add_no_header(cohort, ida, title):
    type(cohort).objects.filter(pk=cohort.pk).update(title=title)
    (ada,) = invited(cohort, "ada")
    Membership.objects.filter(pk=ada.pk).update(
        name=("B\r\nTo: eve@evil.example" + "n" * 300)[:200]
    )
    User.objects.filter(pk=ida.pk).update(first_name="I\nCc: eve@evil.example")
    start(cohort, ida)
    send_all()
    (letter,) = mail.outbox
    sent = letter.message()
    assert letter.recipients() == ["ada@u.example"]
    assert set(sent.keys()) == {
        "Content-Type",
        "MIME-Version",
        "Content-Transfer-Encoding",
        "Subject",
        "From",
        "To",
        "Date",
        "Message-ID",
        "Auto-Submitted",
    }
    assert len(letter.subject) <= 130
    assert not [line for line in letter.body.splitlines() if line.startswith(("To:", "Cc:"))]


@pytest.mark.parametrize(
    ("address", "is_usable"),
    [
        ("o'neil+tag@u.example", True),
        ("ada@büro.example", True),
        ("ädä@u.example", False),
        ("a b@u.example", False),
        ("ada", False),
        ("ada@u.example\nbcc: x@y.example", False),
        (f"{'a' * 240}@u.example", True),
    ],
)
def test_odd_addresses_are_named_and_not_mailed(cohort, ida, address, is_usable):
    assert can_be_mailed(address) is is_usable
    create_member(cohort, "odd", state="invited", email=address)
    (bea,) = invited(cohort, "bea")
    page = browser_of(ida).get(PAGE)
    assert [place.name for place in page.context["plan"].unusable] == ["odd"] * (not is_usable)
    assert ("Mail cannot be sent" in page.content.decode()) is not is_usable
    start(cohort, ida)
    send_all()
    assert len(mail.outbox) == 1 + is_usable
    assert bea.email in addresses()


# ---- thirty days


def test_ended_link_says_when_and_what_to_do(cohort, ida):
    (ada,) = invited(cohort, "ada")
    start(cohort, ida)
    send_all()
    path, sam = link_to("ada@u.example"), create_account("sam")
    ended = timezone.now() - timedelta(minutes=1)
    Membership.objects.filter(pk=ada.pk).update(invite_ends_at=ended)
    day = ended.astimezone(cohort.zone)
    for browser in (Client(), browser_of(sam)):
        for ask in (browser.get, browser.post):
            page = ask(path)
            assert page.status_code == 410
            words = f"This link ended on {day.day} {day:%B %Y}. Ask your instructor for a new one."
            assert words in page.content.decode()
    assert (
        f"ended {day.day} {day:%b %Y}"
        in browser_of(ida).get(teach_class("people/")).content.decode()
    )
    assert [place.name for place in plan_links(cohort, timezone.now()).without_link] == ["ada"]


def test_links_of_files_end_after_thirty_days(cohort, ida):
    (ada,) = invited(cohort, "ada")
    browser = browser_of(ida)
    browser.post(teach_class("links.csv"))
    ada.refresh_from_db()
    left = ada.invite_ends_at - timezone.now()
    assert timedelta(days=29, hours=23) < left <= timedelta(days=30)
    plan = browser.get(PAGE).context["plan"]
    assert [[place.name for place in row] for row in (plan.without_link, plan.with_link)] == [
        [],
        ["ada"],
    ]
    assert browser.post(PAGE, {"digest": plan.digest}).status_code == 409
    assert browser.post(PAGE, {"digest": plan.digest, "replace": "yes"}).status_code == 302


def test_links_from_before_the_upgrade_end_too(cohort, ida):
    ada, bea = invited(cohort, "ada", "bea")
    token = invite(members=[ada], by=ida)[ada.pk]
    Membership.objects.update(invite_ends_at=None)
    import_module("quizzes.classes.migrations.0007_link_mails").end_links(apps, None)
    ada.refresh_from_db()
    bea.refresh_from_db()
    left = ada.invite_ends_at - timezone.now()
    assert timedelta(days=29, hours=23) < left <= timedelta(days=30)
    assert bea.invite_ends_at is None
    assert Client().get(f"/invited/{token}/").status_code == 200


# ---- people and privacy


def test_staff_links_take_the_password(cohort):
    olga = make_account("olga")
    create_member(cohort, "olga", role="instructor")
    invited(cohort, "tom", role="assistant")
    browser = make_stale(sign_in(olga.username))
    answer = browser.post(PAGE, {"digest": plan_links(cohort, timezone.now()).digest})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert not LinkRun.objects.exists()


def test_joining_deletes_the_address_of_the_mail(cohort, ida):
    invited(cohort, "ada")
    start(cohort, ida)
    send_all()
    sam = create_account("sam")
    browser_of(sam).post(link_to("ada@u.example"))
    assert not LinkMail.objects.exists()
    exported = export_of(learner=None, user=sam)
    assert hash_of(link_to("ada@u.example")) not in str(exported)
    runs = export_of(learner=None, user=ida)["link runs"]
    assert (runs[0]["sent"], "u.example" in str(runs)) == (1, False)


def test_people_page_takes_no_query_for_each_link(cohort, ida):
    browser = browser_of(ida)
    pages = (teach_class("people/"), PAGE)
    invited(cohort, "ada", "bea")
    start(cohort, ida)
    send_all()
    before = [count_queries(browser, page) for page in pages]
    invited(cohort, *(f"p{number}" for number in range(9)))
    start(cohort, ida)
    send_all()
    assert [count_queries(browser, page) for page in pages] == before


def test_link_of_version_before_works(cohort, ida):
    (ada,) = invited(cohort, "ada")
    token = invite(members=[ada], by=ida)[ada.pk]
    Membership.objects.update(invite_ends_at=None)
    assert [place.name for place in plan_links(cohort, timezone.now()).with_link] == ["ada"]
    assert "Link valid" in browser_of(ida).get(teach_class("people/")).content.decode()
    assert browser_of(create_account("sam")).post(f"/invited/{token}/").status_code == 302
    assert Client().get(f"/invited/{token}/").status_code == 404
