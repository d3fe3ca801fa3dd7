"""What happens while links are sent: people change, runs end early, mail is off."""

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from quizzes.classes.enrollment import claim_places
from quizzes.classes.link_mails import sending
from quizzes.classes.link_mails.plan import plan_links
from quizzes.classes.link_mails.sending import send_next_link, stop_run
from quizzes.classes.models import LinkMail, LinkRun, Membership
from quizzes.classes.services import change_member, invite, remove_member, set_archived
from tests.classes.link_mails.runs import (
    GREY,
    PAGE,
    about_of_log,
    addresses,
    invited,
    link_to,
    readdress,
    send_all,
    start,
)
from tests.classes.pages import teach_class
from tests.classes.test_roster import apply
from tests.factories import browser_of, create_account, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

# ---- what happens meanwhile


@pytest.mark.parametrize("deed", ["joined", "removed", "moved", "by_hand"])
def test_people_who_changed_meanwhile_get_nothing(cohort, ida, deed):
    ada, _ = invited(cohort, "ada", "bea")
    start(cohort, ida)
    if deed == "joined":
        claim_places(user=create_account("sam", email="ada@u.example", verified=True))
    elif deed == "removed":
        remove_member(member=ada, by=ida)
    elif deed == "moved":
        readdress(ada, ida)
    else:
        token = invite(members=[ada], by=ida)[ada.pk]
    send_all()
    assert addresses() == ["bea@u.example"]
    assert about_of_log() == [
        "1 of 2 links; 1 person had joined, left or changed on the roster before their turn"
    ]
    if deed == "by_hand":
        assert Client().get(f"/invited/{token}/").status_code == 200


def test_new_address_gets_its_own_link(cohort, ida):
    (ada,) = invited(cohort, "ada")
    start(cohort, ida)
    send_all()
    readdress(ada, ida)
    assert Client().get(link_to("ada@u.example")).status_code == 404
    plan = plan_links(cohort, timezone.now())
    assert [place.email for place in plan.without_link] == ["new@u.example"]
    start(cohort, ida)
    send_all()
    assert Client().get(link_to("ada@u.example")).status_code == 404
    assert Client().get(link_to("new@u.example")).status_code == 200


@pytest.mark.parametrize("way", ["page", "roster"])
@pytest.mark.parametrize(
    ("former", "facts", "works"),
    [
        ("bob@u.example", {"email": "carol@u.example"}, False),
        ("bob@u.example", {"section": "Tue"}, True),
        ("", {"email": "carol@u.example"}, True),
    ],
)
def test_new_address_ends_former_link(cohort, ida, way, former, facts, works):
    place = create_member(cohort, "b", state="invited", email=former, external_id="7")
    token = invite(members=[place], by=ida)[place.pk]
    if way == "page":
        place.refresh_from_db()
        stays = {"name": "b", "external_id": "7", "login_id": "", "section": "", "role": "student"}
        stays |= {"email": former, "extra_time_percent": 0}
        change_member(member=place, by=ida, **stays | facts)
    else:
        apply(cohort, ida, f"external_id,{','.join(facts)}\n7,{','.join(facts.values())}\n")
    assert Client().get(f"/invited/{token}/").status_code == (200 if works else 404)
    place.refresh_from_db()
    assert (place.invite_token != "", place.invite_ends_at is not None) == (works, works)
    assert (place.email, place.section) == (facts.get("email", former), facts.get("section", ""))


@pytest.mark.parametrize("end", ["archived", "no_instructor", "stopped"])
def test_run_ends_early_and_says_why(cohort, ida, end):
    invited(cohort, "ada", "bea", "cid")
    start(cohort, ida)
    send_next_link()
    other = create_member(cohort, "other", role="instructor").user
    if end == "archived":
        set_archived(cohort=cohort, by=ida, is_archived=True)
    elif end == "no_instructor":
        remove_member(member=Membership.objects.get(user=ida), by=other)
    else:
        stop = browser_of(other).post(teach_class("links/stop/do/"), follow=True)
        assert "No more links are being sent." in stop.content.decode()
        assert not stop_run(cohort=cohort, by=ida)
    send_all()
    assert addresses() == ["ada@u.example"]
    (about,) = about_of_log()
    assert about.startswith("1 of 3 links; 2 people got none because ")
    assert LinkRun.objects.get().end == end


def test_stop_waits_for_the_mail_on_its_way(cohort, ida, server, monkeypatch):
    invited(cohort, "ada", "bea")
    start(cohort, ida)
    real = server.send_messages

    def send(self, messages):
        assert stop_run(cohort=cohort, by=ida)
        page = browser_of(ida).get(PAGE).content.decode()
        assert "Sending has been stopped" in page
        assert "0 of 2 links sent so far. One mail is still on its way." in page
        assert "Stop sending" not in page
        assert stop_run(cohort=cohort, by=ida)  # pressed on a page from before
        return real(self, messages)

    monkeypatch.setattr(server, "send_messages", send)
    send_all()
    assert about_of_log("stopped sending personal links") == [""]
    assert about_of_log() == [
        "1 of 2 links; 1 person got none because an instructor stopped the sending"
    ]


def test_late_answer_counts_once(cohort, ida, server, clock, monkeypatch):
    ada, _ = invited(cohort, "ada", "bea")
    start(cohort, ida)
    real = server.send_messages

    def send(self, messages):
        if messages[0].to == [ada.email]:
            clock.pass_time(minutes=6)
            sending.settle_interrupted(sending.database_time())
            remove_member(member=ada, by=ida)
        return real(self, messages)

    monkeypatch.setattr(server, "send_messages", send)
    send_all()
    assert about_of_log() == [
        "1 of 2 links; 1 may not have been sent because sending was interrupted"
    ]


def test_stop_holds_for_mail_put_off(cohort, ida, server, clock, monkeypatch):
    invited(cohort, "ada")
    start(cohort, ida)

    def send(_self, _messages):
        stop_run(cohort=cohort, by=ida)
        raise GREY

    with monkeypatch.context() as patched:
        patched.setattr(server, "send_messages", send)
        send_next_link()
    clock.pass_time(hours=1)
    send_all()
    assert not mail.outbox
    assert (LinkRun.objects.get().end, LinkMail.objects.count()) == ("stopped", 0)


def test_deleted_instructor_sends_nothing_more(cohort, ida):
    other = create_member(cohort, "other", role="instructor")
    invited(cohort, "ada")
    start(cohort, ida)
    ida.delete()
    send_all()
    assert not mail.outbox
    page = browser_of(other.user).get(PAGE).content.decode()
    assert "0 of 1 link; 1 person got none because the sender is no longer an instructor" in page
    assert about_of_log() == []
    assert LinkRun.objects.get().end == "no_instructor"


def test_archived_class_and_mail_that_is_off_refuse(cohort, ida, settings):
    invited(cohort, "ada")
    set_archived(cohort=cohort, by=ida, is_archived=True)
    browser = browser_of(ida)
    digest = {"digest": plan_links(cohort, timezone.now()).digest}
    assert "the class is archived" in browser.post(PAGE, digest).content.decode()
    set_archived(cohort=cohort, by=ida, is_archived=False)
    settings.CLASS_MAIL = False
    refused = browser.post(PAGE, digest)
    assert (refused.status_code, LinkRun.objects.count()) == (409, 0)
    for page in (PAGE, teach_class("roster/")):
        html = browser.get(page).content.decode()
        assert "has not switched on mail to classes" in html
        assert "CLASS_MAIL=1" in html
    assert f'href="{PAGE}"' not in browser.get(teach_class("roster/")).content.decode()
    assert 'value="Send' not in browser.get(PAGE).content.decode()


def test_run_waits_while_mail_is_off(cohort, ida, settings):
    invited(cohort, "ada")
    start(cohort, ida)
    settings.CLASS_MAIL = False
    browser = browser_of(ida)
    assert "Links are waiting" in browser.get(PAGE).content.decode()
    browser.post(teach_class("links/stop/do/"))
    assert "Links are waiting" not in browser.get(PAGE).content.decode()
    assert about_of_log() == [
        "0 of 1 link; 1 person got none because an instructor stopped the sending"
    ]
