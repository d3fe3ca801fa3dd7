"""Links on their way: each is sent once, and a failure or a kill names what it leaves."""

import logging
from contextlib import nullcontext
from datetime import timedelta
from smtplib import (
    SMTPConnectError,
    SMTPDataError,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.classes.link_mails import sending
from quizzes.classes.link_mails.plan import plan_links
from quizzes.classes.link_mails.sending import LinkRunError, send_next_link, start_run
from quizzes.classes.models import LinkMail, LinkRun, Membership
from quizzes.classes.services import invite
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import PeriodicTask
from quizzes.worker import periodic_tasks
from tests.classes.link_mails.runs import (
    GREY,
    PAGE,
    about_of_log,
    addresses,
    invited,
    link_to,
    send_all,
    start,
    states,
)
from tests.classes.pages import teach_class
from tests.factories import browser_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


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
    assert ">ada@u.example</td>" in page
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
