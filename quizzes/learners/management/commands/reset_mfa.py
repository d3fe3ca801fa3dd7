"""`manage.py reset_mfa NAME`: take the second factor from an account that has lost its codes."""

from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.core.management.base import CommandError, CommandParser

from quizzes.learners.instructors import AccountError, find_account
from quizzes.learners.models import User
from quizzes.learners.second_factor import reset_second_factor
from quizzes.terminal import PlainCommand

NOTICE = """\
The person who runs the site has removed the second factor from your account {name}: you now sign in
with the password alone. If you did not ask for this, write to that person at once, and set a new
password.
"""


class Command(PlainCommand):
    help = (
        "Remove an account's second factor and recovery codes. Its owner then signs in with the "
        "password alone and sets up a new second factor. First make sure that the request comes "
        "from the owner. A notice is sent to the account's address. Exit 1: there is no such "
        "account."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", metavar="NAME", help="user name or verified e-mail address")

    def handle(self, *_args: Any, account: str, **_options: Any) -> None:
        try:
            user = find_account(account)
        except AccountError as refused:
            raise CommandError(str(refused)) from refused
        if not reset_second_factor(user=user):
            self.stdout.write(f"{user.username} has no second factor")
            return
        if user.email and not _told(user):
            self.stderr.write(f"no message could be sent to {user.email}: tell the owner")
        self.stdout.write(f"{user.username} now signs in with the password alone")


def _told(user: User) -> bool:
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}Your second factor was removed"
    try:
        send_mail(subject, NOTICE.format(name=user.username), None, [user.email])
    except (OSError, SMTPException):
        return False
    return True
