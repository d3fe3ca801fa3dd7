"""Runs of mails with personal links, and what they sent."""

import re
from smtplib import SMTPRecipientsRefused

from django.core import mail
from django.utils import timezone

from quizzes.classes.link_mails.plan import plan_links
from quizzes.classes.link_mails.sending import send_next_link, start_run
from quizzes.classes.models import LinkMail
from quizzes.classes.services import change_member
from quizzes.courses.models import AuditEntry
from tests.classes.pages import teach_class
from tests.factories import create_member

LINK = re.compile(r"http://localhost:8000(/invited/[\w-]+/)")
PAGE = teach_class("links/")
GREY = SMTPRecipientsRefused({"ada@u.example": (451, b"4.7.1 Greylisted")})


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


def readdress(place, by, email="new@u.example"):
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
