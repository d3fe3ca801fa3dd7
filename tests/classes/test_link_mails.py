"""Personal links by mail: who gets one, what the mail says, and what a failure leaves."""

import logging
import re
from contextlib import nullcontext
from datetime import timedelta
from importlib import import_module
from smtplib import (
    SMTPConnectError,
    SMTPDataError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from uuid import uuid4

import pytest
from django.apps import apps
from django.core import mail
from django.core.mail.backends import locmem
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.classes.enrollment import claim_places
from quizzes.classes.join_codes import hash_of
from quizzes.classes.link_mails import sending
from quizzes.classes.link_mails.plan import can_be_mailed, plan_links
from quizzes.classes.link_mails.sending import LinkRunError, send_next_link, start_run, stop_run
from quizzes.classes.models import LinkMail, LinkRun, Membership
from quizzes.classes.services import change_member, invite, remove_member, set_archived
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import PeriodicTask
from quizzes.learners.models import User
from quizzes.study.my_data import export_of
from quizzes.worker import periodic_tasks
from tests.classes.pages import count_queries, teach_class
from tests.classes.test_roster import apply, make_account, make_stale, sign_in
from tests.factories import browser_of, create_account, create_class, create_member

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
LINK = re.compile(r"http://localhost:8000(/invited/[\w-]+/)")
PAGE = teach_class("links/")


@pytest.fixture(autouse=True)
def mail_is_on(settings):
    settings.CLASS_MAIL = True
    settings.SITE_ADDRESS = "http://localhost:8000"


@pytest.fixture
def cohort(course, ida):
    return create_class(course=course, by=ida)


@pytest.fixture
def server(settings):
    """A mail server that raises the next of `answers`, by address or for each connection."""

    class Server(locmem.EmailBackend):
        answers: dict[str, list[Exception | None]] = {}
        connections: list[Exception | None] = []
        calls: list[str] = []

        def open(self):
            if self.connections and (error := self.connections.pop(0)):
                raise error

        def send_messages(self, messages):
            (address,) = messages[0].to
            self.calls.append(address)
            if (answers := self.answers.get(address)) and (error := answers.pop(0)):
                raise error
            return super().send_messages(messages)

    Server.answers, Server.connections, Server.calls = {}, [], []
    settings.EMAIL_BACKEND = "tests.classes.test_link_mails.Server"
    globals()["Server"] = Server
    yield Server
    del globals()["Server"]


@pytest.fixture
def clock(monkeypatch):
    """The database's time, which `pass_time` moves."""

    class Clock:
        ahead = timedelta(0)

        def pass_time(self, **time):
            self.ahead += timedelta(**time)

    moved = Clock()
    monkeypatch.setattr(sending, "database_time", lambda: timezone.now() + moved.ahead)
    return moved


def invited(cohort, *names, **facts):
    return [
        create_member(cohort, name, state="invited", email=f"{name}@u.example", **facts)
        for name in names
    ]


def start(cohort, by, **options):
    digest = plan_links(cohort, timezone.now()).digest
    return start_run(cohort=cohort, by=by, digest=digest, **options)


def send_all(most=500):
    """Send what can be sent now; return how many pieces of work that took."""
    for pieces in range(1, most):
        if not send_next_link():
            return pieces
    raise AssertionError(f"still sending after {most} pieces")


def addresses():
    return sorted(message.to[0] for message in mail.outbox)


def link_to(address):
    """Return the path in the last mail to an address."""
    bodies = [message.body for message in mail.outbox if message.to == [address]]
    return LINK.search(bodies[-1])[1]


def about_of_log(act="sent personal links by mail"):
    return list(AuditEntry.objects.filter(act=act).values_list("about", flat=True))


def states():
    return dict(LinkMail.objects.values_list("membership__name", "state"))


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


# ---- once


def test_second_press_sends_nothing_twice(cohort, ida):
    invited(cohort, "ada", "bea")
    browser = browser_of(ida)
    digest = browser.get(PAGE).context["plan"].digest
    assert browser.post(PAGE, {"digest": digest}).status_code == 302
    again = browser.post(PAGE, {"digest": digest})
    assert again.status_code == 409
    assert "Nothing was sent: links are being sent already." in again.content.decode()
    send_all()
    after = browser.post(PAGE, {"digest": digest})
    assert "the class has changed in the meantime" in after.content.decode()
    assert browser.post(PAGE, {"digest": browser.get(PAGE).context["plan"].digest}).status_code == (
        409
    )
    send_all()
    assert addresses() == ["ada@u.example", "bea@u.example"]


@pytest.mark.parametrize("change", ["added", "readdressed", "promoted", "joined"])
def test_changed_class_is_shown_again_first(cohort, ida, change):
    ada, _ = invited(cohort, "ada", "bea")
    digest = plan_links(cohort, timezone.now()).digest
    if change == "added":
        invited(cohort, "cid")
    elif change == "joined":
        ada.delete()
    else:
        facts = {"email": "x@u.example"} if change == "readdressed" else {"role": "instructor"}
        Membership.objects.filter(pk=ada.pk).update(**facts)
    with pytest.raises(LinkRunError, match="has changed in the meantime"):
        start_run(cohort=cohort, by=ida, digest=digest)
    assert not LinkMail.objects.exists()


@pytest.mark.both_databases
def test_two_workers_send_each_link_once(cohort, ida, server, monkeypatch):
    invited(cohort, "ada", "bea", "cid")
    start(cohort, ida)
    seen_by_both = LinkMail.objects.select_related("run").get(membership__name="ada")
    real = server.send_messages

    def send(self, messages):
        if messages[0].to == ["ada@u.example"]:  # meanwhile another worker looks
            sending._send(seen_by_both)
            assert send_next_link()
        return real(self, messages)

    monkeypatch.setattr(server, "send_messages", send)
    sending._send(seen_by_both)
    send_all()
    assert server.calls == ["bea@u.example", "ada@u.example", "cid@u.example"]
    assert about_of_log() == ["3 of 3 links"]


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_database_is_free_while_mail_is_sent(cohort, ida, server, monkeypatch):
    invited(cohort, "ada")
    start(cohort, ida)
    held = []
    for name in ("open", "send_messages", "close"):
        real = getattr(server, name)

        def note(self, *messages, real=real):
            held.append(connection.in_atomic_block)
            return real(self, *messages)

        monkeypatch.setattr(server, name, note)
    send_all()
    assert (held, states()) == ([False] * 3, {"ada": "sent"})


@pytest.mark.parametrize("number", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_class_takes_its_turns(cohort, ida, django_assert_max_num_queries, number):
    Membership.objects.bulk_create(
        Membership(cohort=cohort, name=f"p{n:03}", email=f"p{n:03}@u.example")
        for n in range(number)
    )
    with django_assert_max_num_queries(20):
        start(cohort, ida)
    with django_assert_max_num_queries(35):
        send_next_link()
    send_all()
    assert len(set(addresses())) == len(mail.outbox) == number
    assert len({link_to(address) for address in addresses()}) == number
    assert about_of_log() == [f"{number} of {number} links"]


def test_worker_waits_a_second_between_mails(settings):
    (task,) = [task for task in periodic_tasks.tasks() if task.name == "send personal links"]
    assert task.pause == timedelta(seconds=1)
    rows = PeriodicTask.objects.filter(name=task.name)
    work = periodic_tasks.PeriodicWork(process=uuid4(), keep_lease=lambda _renew: nullcontext())
    work._tasks = {task.name: periodic_tasks.Task(task.name, task.every, lambda: True, task.pause)}
    assert work.run_next()
    wait = rows.get().due_at - timezone.now()
    assert timedelta(seconds=0.5) < wait <= timedelta(seconds=1)
    assert not work.run_next()
    settings.CLASS_MAIL = False
    assert "send personal links" not in [task.name for task in periodic_tasks.tasks()]


# ---- killed


class KilledError(BaseException):
    """What a kill looks like from inside: nothing after it runs."""


def test_worker_killed_before_sending_sends_nothing_twice(cohort, ida, server, clock, monkeypatch):
    invited(cohort, "ada", "bea")
    start(cohort, ida)
    _kill_in(monkeypatch, "_deliver")
    assert states() == {"ada": "sending", "bea": "waiting"}
    assert send_all() == 1
    assert (server.calls, LinkRun.objects.get().ended_at) == (["bea@u.example"], None)
    clock.pass_time(minutes=6)
    send_all()
    assert server.calls == ["bea@u.example"]
    assert states() == {"ada": "uncertain", "bea": "sent"}
    assert about_of_log() == [
        "1 of 2 links; 1 may not have been sent because sending was interrupted"
    ]


def test_worker_killed_after_sending_leaves_that_link(cohort, ida, clock, monkeypatch):
    invited(cohort, "ada")
    start(cohort, ida)
    _kill_in(monkeypatch, "_settle")
    assert addresses() == ["ada@u.example"]
    clock.pass_time(minutes=6)
    send_all()
    assert addresses() == ["ada@u.example"]
    page = browser_of(ida).get(PAGE)
    assert [place.name for place in page.context["plan"].uncertain] == ["ada"]
    assert "whether the mail to this person was sent. Ask, or send a new link" in " ".join(
        page.content.decode().split()
    )
    assert Client().get(link_to("ada@u.example")).status_code == 200
    start(cohort, ida, replace_links=True)
    send_all()
    assert [len(mail.outbox), states()] == [2, {"ada": "sent"}]


def _kill_in(monkeypatch, name):
    def die(*_):
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(sending, name, die)
        with pytest.raises(KilledError):
            send_next_link()


# ---- failures of the mail server


REFUSED = SMTPRecipientsRefused({"ada@u.example": (550, b"5.1.1 <ada@u.example> No such user")})
GREY = SMTPRecipientsRefused({"ada@u.example": (451, b"4.7.1 Greylisted")})
BUSY = SMTPRecipientsRefused({"ada@u.example": (421, b"4.7.0 Too many messages")})


@pytest.mark.parametrize(
    ("answers", "state", "calls", "log"),
    [
        ([None], "sent", 1, "2 of 2 links"),
        ([REFUSED], "refused", 1, "1 of 2 links; 1 address was refused by the mail server"),
        ([SMTPDataError(554, b"spam")], "refused", 1, "1 of 2 links; 1 address was refused by"),
        ([GREY, GREY, None], "sent", 3, "2 of 2 links"),
        ([GREY] * 6, "refused", 6, "1 of 2 links; 1 address was refused by the mail server"),
        ([BUSY, None], "sent", 2, "2 of 2 links"),
        ([SMTPSenderRefused(530, b"sign in", "x"), None], "sent", 2, "2 of 2 links"),
        ([SMTPServerDisconnected("lost")], "uncertain", 1, "1 of 2 links; 1 may not have been"),
        ([TimeoutError("slow")], "uncertain", 1, "1 of 2 links; 1 may not have been sent"),
        ([ValueError("odd")], "refused", 1, "1 of 2 links; 1 address was refused"),
    ],
)
def test_each_answer_of_the_server_has_its_end(
    cohort, ida, server, clock, caplog, answers, state, calls, log
):
    caplog.set_level(logging.DEBUG)
    invited(cohort, "ada", "bea")
    start(cohort, ida)
    server.answers = {"ada@u.example": list(answers)}
    for _ in range(8):
        send_all()
        clock.pass_time(hours=4)
    assert states() == {"ada": state, "bea": "sent"}
    assert server.calls.count("ada@u.example") == calls
    assert server.calls.count("bea@u.example") == 1
    assert about_of_log()[0].startswith(log)
    assert "u.example" not in caplog.text
    assert "/invited/" not in caplog.text


def test_refused_address_is_named_and_tried_again(cohort, ida, server):
    (ada,) = invited(cohort, "ada")
    start(cohort, ida)
    server.answers = {"ada@u.example": [REFUSED]}
    send_all()
    browser = browser_of(ida)
    page = browser.get(PAGE).content.decode()
    assert "<td>ada@u.example</td>" in page
    assert "550 5.1.1 &lt;ada@u.example&gt; No such user" in page
    assert (
        "Address refused by the mail server" in browser.get(teach_class("people/")).content.decode()
    )
    log = browser.get(teach_class("log/")).content.decode()
    assert "could not send personal links to" in log
    assert "u.example" not in str(list(AuditEntry.objects.values()))
    ada.refresh_from_db()
    assert (ada.invite_token, ada.invite_ends_at) == ("", None)
    start(cohort, ida)
    send_all()
    assert states() == {"ada": "sent"}


def test_refused_mail_leaves_the_former_link(cohort, ida, server):
    (ada,) = invited(cohort, "ada")
    token = invite(members=[ada], by=ida)[ada.pk]
    start(cohort, ida, replace_links=True)
    server.answers = {"ada@u.example": [REFUSED]}
    send_all()
    assert Client().get(f"/invited/{token}/").status_code == 200


def test_server_that_is_down_is_tried_later(cohort, ida, server, clock):
    invited(cohort, "ada", "bea")
    start(cohort, ida)
    server.connections = [ConnectionRefusedError(), SMTPConnectError(421, b"busy")]
    assert send_all() == 1
    page = browser_of(ida).get(PAGE).content.decode()
    assert "0 of 2 links sent so far. The mail server cannot be used at the moment; the" in page
    assert send_all() == 1
    assert server.connections
    clock.pass_time(minutes=2)
    send_all()
    clock.pass_time(minutes=6)
    send_all()
    assert addresses() == ["ada@u.example", "bea@u.example"]
    assert about_of_log() == ["2 of 2 links"]


def test_server_that_stays_down_ends_in_the_log(cohort, ida, server, clock):
    invited(cohort, "ada", "bea")
    start(cohort, ida)
    server.connections = [None, *[OSError("down")] * 20]
    for _ in range(8):
        send_all()
        clock.pass_time(hours=4)
    assert len(server.connections) == 14  # one for ada, then once and after each delay
    assert about_of_log() == [
        "1 of 2 links; 1 person got none because the mail server could not be used for several"
        " hours"
    ]
    page = browser_of(ida).get(PAGE)
    assert [place.name for place in page.context["plan"].without_link] == ["bea"]


def test_waiting_run_takes_no_lock(cohort, ida, server):
    invited(cohort, "ada")
    start(cohort, ida)
    server.connections = [ConnectionRefusedError()]
    send_next_link()
    with CaptureQueriesContext(connection) as queries:
        send_next_link()
    assert not [query for query in queries if not query["sql"].startswith("SELECT")]


def test_server_that_breaks_off_slows_the_run(cohort, ida, server, clock):
    people = invited(cohort, *"abcdefgh")
    links = invite(members=people, by=ida)
    start(cohort, ida, replace_links=True)
    lost = SMTPServerDisconnected("lost")
    server.answers = {place.email: [lost] for place in people}
    assert send_all() == 1
    assert (len(server.calls), LinkRun.objects.get().server_failures) == (1, 1)
    for calls, minutes in enumerate((1, 5, 15, 60, 180), start=1):
        clock.pass_time(minutes=minutes - 0.5)
        assert (send_all(), len(server.calls)) == (1, calls)
        clock.pass_time(minutes=0.6)
        send_all()
    assert about_of_log() == [
        "0 of 8 links; 6 may not have been sent because sending was interrupted; 2 people got none"
        " because the mail server could not be used for several hours"
    ]
    works = [Client().get(f"/invited/{links[place.pk]}/").status_code for place in people]
    assert works == [404] * 6 + [200] * 2


def test_server_that_recovers_gets_the_rest(cohort, ida, server, clock):
    people = invited(cohort, "ada", "bea", "cid")
    start(cohort, ida)
    server.answers = {place.email: [TimeoutError("slow")] for place in people[:2]}
    for minutes in (0, 1.1, 5.1):
        clock.pass_time(minutes=minutes)
        send_all()
    assert states() == {"ada": "uncertain", "bea": "uncertain", "cid": "sent"}
    assert LinkRun.objects.get().server_failures == 0


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
        _readdress(ada, ida)
    else:
        token = invite(members=[ada], by=ida)[ada.pk]
    send_all()
    assert addresses() == ["bea@u.example"]
    assert about_of_log() == [
        "1 of 2 links; 1 person had joined, left or changed on the roster before their turn"
    ]
    if deed == "by_hand":
        assert Client().get(f"/invited/{token}/").status_code == 200


def _readdress(place, by, email="new@u.example"):
    change_member(
        member=place,
        by=by,
        name=place.name,
        email=email,
        external_id="",
        login_id=place.login_id,
        section="",
        role=place.role,
        extra_time_percent=0,
    )


def test_new_address_gets_its_own_link(cohort, ida):
    (ada,) = invited(cohort, "ada")
    start(cohort, ida)
    send_all()
    _readdress(ada, ida)
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
