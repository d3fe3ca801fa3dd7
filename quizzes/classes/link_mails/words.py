"""Sentences about links that were mailed, for pages and for the log."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime

from quizzes.classes.link_mails.plan import mail_of
from quizzes.classes.models import LinkMail, LinkRun, Membership

MailState, End = LinkMail.State, LinkRun.End
WHY_NOT = {
    End.DONE: "had joined, left or changed on the roster before their turn",
    End.STOPPED: "got none because an instructor stopped the sending",
    End.ARCHIVED: "got none because the class was archived",
    End.NO_INSTRUCTOR: "got none because the sender is no longer an instructor of the class",
    End.NO_SERVER: "got none because the mail server could not be used for several hours",
}

WITHOUT_LINK = {
    MailState.WAITING: "link waiting to be sent",
    MailState.SENDING: "link being sent",
    MailState.REFUSED: "address refused by the mail server",
}


def summary_of(run: LinkRun) -> str:
    """Say what became of a run that has ended: "187 of 190 links; 3 addresses were refused ..."."""
    parts = [f"{run.sent} of {run.total} link{'s' * (run.total != 1)}"]
    if run.refused:
        refused = "address was" if run.refused == 1 else "addresses were"
        parts.append(f"{run.refused} {refused} refused by the mail server")
    if run.uncertain:
        parts.append(f"{run.uncertain} may not have been sent because sending was interrupted")
    left = run.total - run.sent - run.refused - run.uncertain
    if left > 0:
        people = "person" if left == 1 else "people"
        parts.append(f"{left} {people} {WHY_NOT[End(run.end)]}")
    return "; ".join(parts)


def link_words(place: Membership, now: datetime) -> str:
    """Say when an invited person's link was sent and how long it works, "" where there is none.

    Days are those of the current time zone. No query if `link_mail` was read with the place.
    """
    if place.state != Membership.State.INVITED:
        return ""
    mail = mail_of(place)
    if mail is not None and mail.state in WITHOUT_LINK:
        return WITHOUT_LINK[MailState(mail.state)]
    ends_at = place.invite_ends_at
    if ends_at is None:
        return "link valid" if place.invite_token else ""
    end = f"{'valid until' if ends_at > now else 'ended'} {_day(ends_at)}"
    if mail is not None and mail.sent_at is not None:
        return f"link sent {_day(mail.sent_at)}, {end}"
    return f"link may not have been sent, {end}" if mail is not None else f"link {end}"


def _day(at: datetime) -> str:
    return str(date_format(localtime(at), "j M Y"))


def progress_of(run: LinkRun) -> str:
    """Say how far an open run has come, and what it waits for."""
    words = f"{run.sent} of {run.total} link{'s' * (run.total != 1)} sent so far"
    if run.end:
        words += ". One mail is still on its way"
    elif run.server_failures:
        at = date_format(localtime(run.next_at), "H:i")
        words += f". The mail server cannot be used at the moment; the next try is at {at}"
    return f"{words}."
