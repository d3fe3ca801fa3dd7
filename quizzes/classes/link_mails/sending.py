"""How personal links are mailed: an instructor starts a run, and workers send it mail by mail.

The worker's periodic tasks send at most one mail a second, of all classes together, so that no mail
server takes a class for a flood. Grading goes on in another thread; other periodic tasks wait for
the mail that is being sent: up to two minutes where a server hangs, since `EMAIL_TIMEOUT` holds for
each step. The database is not held: a mail is noted as being sent in one short transaction, sent
outside of any, and what became of it is noted in another.

A worker may be killed between these two. Then nobody knows whether the mail went out, and the link
in it is lost, since only its hash is stored. Sending again would need another link, which ends the
first: somebody with both mails could open the dead one and give up, and the class would take us for
spam. So the mail is not sent again. It counts as uncertain, which concerns one person for each
kill; the page names that person, and an instructor can send a new link with one press.

A connection that breaks in the middle of a mail leaves the same doubt, and the server may break off
each of them. So the run waits for `DELAYS` before its next mail, and ends after the last: a server
that answers and then hangs costs six people their certainty, not a class. One that cannot be
reached, or that says "later", has surely taken nothing: the mail is tried again after `DELAYS`, and
the link that the person had before is put back.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from smtplib import (
    SMTPHeloError,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from django.conf import settings
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q, QuerySet

from quizzes.classes.access import class_with_role
from quizzes.classes.join_codes import LINK_LIFETIME, hash_of, new_token
from quizzes.classes.link_mails.letter import Letter
from quizzes.classes.link_mails.plan import LinkPlan, plan_links
from quizzes.classes.link_mails.words import summary_of
from quizzes.classes.log import record_for_class
from quizzes.classes.models import Cohort, LinkMail, LinkRun, Membership
from quizzes.exercises.queue.clock import database_time
from quizzes.learners.models import User

DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180))
LONGEST_SEND = timedelta(minutes=5)  # a hanging server is left within two, step by step
CLOSING = 421  # the server takes nothing from us now, not only this mail
MOST_PROBLEM = 300
State, End = LinkMail.State, LinkRun.End
OPEN = (State.WAITING, State.SENDING)

logger = logging.getLogger(__name__)


class LinkRunError(Exception):
    """The links cannot be sent; the message says why."""


class Outcome(Enum):
    """What became of a mail."""

    SENT = auto()
    REFUSED = auto()
    LATER = auto()  # the server does not take it for this person now
    SERVER_FAILED = auto()  # it takes nothing from us now
    UNCERTAIN = auto()


@dataclass(frozen=True)
class _Claim:
    """A mail that this worker alone sends, with the link that the person had before."""

    mail: LinkMail
    letter: Letter
    former_token: str
    former_ends_at: datetime | None


# ---- an instructor


@transaction.atomic
def start_run(*, cohort: Cohort, by: User, digest: str, replace_links: bool = False) -> LinkRun:
    """Have workers mail a link to each addressee of the plan with this digest.

    Raises LinkRunError, having stored nothing, where mail is off, a run is under way, the class is
    archived, it changed since the plan was shown, or nobody would get a mail.
    """
    if not settings.CLASS_MAIL:
        raise LinkRunError("the operator of this site has not switched mail on")
    held = _held(cohort.pk)
    if held.archived_at is not None:
        raise LinkRunError("the class is archived")
    if open_run(held) is not None:
        raise LinkRunError("links are being sent already")
    now = database_time()
    plan: LinkPlan = plan_links(held, now)
    if plan.digest != digest:
        raise LinkRunError("the class has changed in the meantime: check the numbers again")
    people = plan.addressees(replace_links=replace_links)
    if not people:
        raise LinkRunError("nobody would get a mail")
    run = LinkRun.objects.create(cohort=held, by=by, total=len(people), started_at=now, next_at=now)
    LinkMail.objects.filter(membership__in=[place.pk for place in people]).delete()
    LinkMail.objects.bulk_create(
        [LinkMail(run=run, membership=place, address=place.email, due_at=now) for place in people],
        batch_size=200,
    )
    record_for_class(held, by, "started sending personal links", about=f"{len(people)} of them")
    return run


@transaction.atomic
def stop_run(*, cohort: Cohort, by: User) -> bool:
    """Send no more links of a class; return whether a run was under way.

    Its last mail may be on its way, so it may have been stopped before.
    """
    held = _held(cohort.pk)
    run = open_run(held)
    if run is None:
        return False
    if not run.end:
        record_for_class(held, by, "stopped sending personal links")
    settle_interrupted(database_time())
    _cut_short(run, End.STOPPED)
    _end_if_done(run)
    return True


def _held(cohort: int) -> Cohort:
    rows = Cohort.objects.select_for_update(of=("self",)).select_related("course")
    return rows.get(pk=cohort)


def open_run(cohort: Cohort) -> LinkRun | None:
    """Return the run of a class that is under way."""
    return LinkRun.objects.filter(cohort=cohort, ended_at=None).first()


# ---- a worker


def send_next_link() -> bool:
    """Send the mail whose turn it is; return whether another could be sent now."""
    now = database_time()
    settle_interrupted(now)
    for run in LinkRun.objects.filter(ended_at=None).select_related("cohort__course", "by"):
        if reason := _reason_to_end(run):
            _cut_short(run, reason)
        _end_if_done(run)
    mail = _due(now).order_by("due_at", "pk").select_related("run").first()
    if mail is None:
        return False
    _send(mail)
    return _due(database_time()).exists()


def _due(now: datetime) -> QuerySet[LinkMail]:
    is_open = Q(run__ended_at=None, run__next_at__lte=now)
    return LinkMail.objects.filter(is_open, state=State.WAITING, due_at__lte=now)


def _reason_to_end(run: LinkRun) -> LinkRun.End | None:
    """Say why nothing more may be sent, None while it may.

    A run that was cut short may have a mail again that was on its way, and that the server put off.
    """
    if run.end:
        return End(run.end)
    if run.cohort.archived_at is not None:
        return End.ARCHIVED
    role = class_with_role(run.cohort.slug, run.by)[1] if run.by else None
    return None if role is not None and role.may_manage else End.NO_INSTRUCTOR


def _send(mail: LinkMail) -> None:
    """Send one mail, over a connection that is there before a link is made for it."""
    server = get_connection()
    try:
        server.open()
    except OSError as error:  # SMTPException is one
        _note("could not be reached", mail, error)
        _put_off_run(mail.run)
        return
    try:
        claim = _claim(mail)
        if claim is not None:
            outcome, problem = _deliver(server, claim)
            _settle(claim, outcome, problem)
    finally:
        server.close()


@transaction.atomic
def _claim(mail: LinkMail) -> _Claim | None:
    """Note that a mail is being sent, with its new link; None where it must not be sent any more.

    The class is held first, as by everybody who joins or changes it: who joined a moment ago, was
    removed or has another address gets nothing.
    """
    cohort = _held(mail.run.cohort_id)
    now = database_time()
    waiting = LinkMail.objects.filter(pk=mail.pk, state=State.WAITING, run__ended_at=None)
    held = waiting.select_related("membership", "run__by").first()
    if held is None or cohort.archived_at is not None or held.run.by is None:
        return None
    place = held.membership
    if place.state != Membership.State.INVITED or place.email != held.address:
        held.delete()
        return None
    token, former = new_token(), (place.invite_token, place.invite_ends_at)
    place.invite_token, place.invite_ends_at = hash_of(token), now + LINK_LIFETIME
    place.save(update_fields=["invite_token", "invite_ends_at"])
    held.state, held.due_at = State.SENDING, now + LONGEST_SEND
    held.save(update_fields=["state", "due_at"])
    letter = Letter(place, cohort, held.run.by, token, place.invite_ends_at)
    return _Claim(held, letter, *former)


def _deliver(server: BaseEmailBackend, claim: _Claim) -> tuple[Outcome, str]:
    """Give a mail to the server; return what became of it, and what the server says against it."""
    try:
        server.send_messages([claim.letter.message(server)])
    except SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        return _refusal(claim.mail, code, said)
    except (SMTPSenderRefused, SMTPHeloError) as error:
        _note("takes nothing from us", claim.mail, error)
        return Outcome.SERVER_FAILED, ""
    except SMTPResponseException as error:
        return _refusal(claim.mail, error.smtp_code, error.smtp_error)
    except (SMTPNotSupportedError, ValueError) as error:  # before anything is sent
        _note("cannot take the address", claim.mail, error)
        return Outcome.REFUSED, "The mail program cannot write to this address."
    except OSError as error:
        _note("broke off", claim.mail, error)
        return Outcome.UNCERTAIN, ""
    return Outcome.SENT, ""


def _refusal(mail: LinkMail, code: int, said: bytes | str) -> tuple[Outcome, str]:
    """Return what a server's answer means: 5xx is for good, all else for now."""
    logger.info("mail %s with a personal link: the mail server answered %s", mail.pk, code)
    if code == CLOSING:
        return Outcome.SERVER_FAILED, ""
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    problem = f"{code} {' '.join(text.split())}"[:MOST_PROBLEM]
    is_final = 500 <= code < 600 or mail.tries >= len(DELAYS)
    return Outcome.REFUSED if is_final else Outcome.LATER, problem


def _note(what: str, mail: LinkMail, error: Exception) -> None:
    """Log a failure of the mail server, without its words, which may name the address."""
    kind = type(error).__name__
    logger.warning("mail %s with a personal link: the mail server %s: %s", mail.pk, what, kind)


@transaction.atomic
def _settle(claim: _Claim, outcome: Outcome, problem: str) -> None:
    """Note what became of a mail, and put the former link back where it was surely not sent."""
    mail = claim.mail
    _held(mail.run.cohort_id)  # first, as everywhere
    now = database_time()
    rows = LinkMail.objects.filter(pk=mail.pk, state=State.SENDING)
    if outcome is Outcome.SENT:
        is_ours = rows.update(state=State.SENT, sent_at=now, problem="")
    elif outcome is Outcome.REFUSED:
        is_ours = rows.update(state=State.REFUSED, problem=problem)
    elif outcome is Outcome.UNCERTAIN:
        is_ours = rows.update(state=State.UNCERTAIN)
    else:
        is_later = outcome is Outcome.LATER
        due_at = now + (DELAYS[mail.tries] if is_later else timedelta(0))
        is_ours = rows.update(
            state=State.WAITING, problem=problem, due_at=due_at, tries=mail.tries + is_later
        )
    if outcome not in (Outcome.SENT, Outcome.UNCERTAIN):
        Membership.objects.filter(
            pk=claim.letter.place.pk, invite_token=hash_of(claim.letter.token)
        ).update(invite_token=claim.former_token, invite_ends_at=claim.former_ends_at)
    # Its person may have joined or left in this very second: the mail is gone, and counts, unless
    # it counted as interrupted before (`due_at`).
    is_gone = not is_ours and not LinkMail.objects.filter(pk=mail.pk).exists()
    if is_ours or (is_gone and now < mail.due_at):
        _count(mail.run, outcome)
    if outcome in (Outcome.SERVER_FAILED, Outcome.UNCERTAIN):
        _put_off_run(mail.run)
    _end_if_done(mail.run)


def _count(run: LinkRun, outcome: Outcome) -> None:
    rows = LinkRun.objects.filter(pk=run.pk)
    if outcome is Outcome.SENT:
        rows.update(sent=F("sent") + 1, server_failures=0)
    elif outcome is Outcome.REFUSED:
        rows.update(refused=F("refused") + 1, server_failures=0)
    elif outcome is Outcome.LATER:
        rows.update(server_failures=0)
    elif outcome is Outcome.UNCERTAIN:
        rows.update(uncertain=F("uncertain") + 1)


def settle_interrupted(now: datetime) -> None:
    """Count each mail as uncertain whose worker was killed before noting what became of it."""
    for mail in LinkMail.objects.filter(state=State.SENDING, due_at__lte=now).select_related("run"):
        with transaction.atomic():
            rows = LinkMail.objects.filter(pk=mail.pk, state=State.SENDING)
            if rows.update(state=State.UNCERTAIN):
                logger.warning("mail %s with a personal link was interrupted", mail.pk)
                _count(mail.run, Outcome.UNCERTAIN)


@transaction.atomic
def _put_off_run(run: LinkRun) -> None:
    """Try the mail server again later, and after the last of `DELAYS` no more."""
    held = LinkRun.objects.select_for_update(of=("self",)).get(pk=run.pk)
    if held.server_failures >= len(DELAYS):
        _cut_short(held, End.NO_SERVER)
        _end_if_done(held)
        return
    held.next_at = database_time() + DELAYS[held.server_failures]
    held.server_failures += 1
    held.save(update_fields=["next_at", "server_failures"])


@transaction.atomic
def _cut_short(run: LinkRun, end: LinkRun.End) -> None:
    """Send nothing more of a run; one mail may be on its way."""
    LinkRun.objects.filter(pk=run.pk, ended_at=None, end="").update(end=end)
    LinkMail.objects.filter(run=run, state=State.WAITING).delete()


def _end_if_done(run: LinkRun) -> None:
    """End a run of which nothing is left to send; looked at each second, so without a lock."""
    if not LinkMail.objects.filter(run=run, state__in=OPEN).exists():  # there will be no new one
        _end(run)


@transaction.atomic
def _end(run: LinkRun) -> None:
    """End a run, once, and write into the log what became of it.

    The log has no entry without a person: if the sender's account is gone, only the page says it.
    """
    rows = LinkRun.objects.filter(pk=run.pk, ended_at=None)
    rows.filter(end="").update(end=End.DONE)
    if not rows.update(ended_at=database_time()):
        return
    ended = LinkRun.objects.select_related("cohort__course", "by").get(pk=run.pk)
    record_for_class(ended.cohort, ended.by, "sent personal links by mail", about=summary_of(ended))
    refused = Membership.objects.filter(link_mail__run=run, link_mail__state=State.REFUSED)
    if subjects := [place.as_subject() for place in refused]:
        record_for_class(ended.cohort, ended.by, "could not send personal links to", subjects)
