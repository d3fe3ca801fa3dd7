"""The mail that invites a person to a class."""

from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse
from django.utils.formats import date_format

from quizzes.classes.models import Cohort, Membership
from quizzes.classes.names import fold_name, name_of
from quizzes.content_files.typed_text import isolate
from quizzes.learners.models import User

MOST_SUBJECT = 100  # characters of a title in a subject: more is cut off in lists of mail anyway
BODY = """\
Hello{name},

{instructor} has invited you to join the class {title}{role} on Ordinal.
The class is part of the course {course}.

To join, open this link:

{link}

The link is only for you. It works once and is valid until {ends_at}.

If this message was not meant for you, please delete it. Nothing happens unless somebody uses the
link.
"""


@dataclass(frozen=True)
class Letter:
    """What one invitation says, and to which address it goes."""

    place: Membership
    cohort: Cohort
    by: User
    token: str
    ends_at: datetime

    def message(self, server: BaseEmailBackend) -> EmailMessage:
        """Return the mail. What people typed is folded to one line: no name adds a header."""
        title, course = fold_name(self.cohort.title), fold_name(self.cohort.course.title)
        name = fold_name(self.place.name)
        ends_at = date_format(self.ends_at.astimezone(self.cohort.zone), "j F Y, H:i")
        teaches = Membership.Role(self.place.role).teaches
        link = reverse("classes:invited", args=[self.token])
        body = BODY.format(
            name=f" {isolate(name)}" if name else "",
            instructor=isolate(_name_in(self.cohort, self.by)),
            title=f"“{isolate(title)}”",
            role=f" as an {self.place.role}" if teaches else "",
            course=f"“{isolate(course)}”",
            link=f"{settings.SITE_ADDRESS}{link}",
            ends_at=f"{ends_at} ({self.cohort.timezone})",
        )
        prefix = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX
        return EmailMessage(
            f"{prefix}Invitation to {shorten(title, MOST_SUBJECT, placeholder='…')}",
            body,
            to=[self.place.email],
            connection=server,
            headers={"Auto-Submitted": "auto-generated"},  # or absent people's programs answer
        )


def _name_in(cohort: Cohort, user: User) -> str:
    """Return the name of an instructor as the class's pages have it."""
    place = cohort.memberships.filter(user=user).select_related("user").first()
    return fold_name(place.label) if place else name_of(user) or user.get_username()
