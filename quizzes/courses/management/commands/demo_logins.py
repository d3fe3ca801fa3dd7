"""`manage.py demo_logins`: make and print the demo logins of a development site."""

import json
import secrets
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from quizzes.courses.models import Course, CourseStaff
from quizzes.courses.roles import Role, set_instructor
from quizzes.learners.models import User
from quizzes.learners.secret_files import read_or_draw
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = "Create one learner and one instructor to try the site with, and print their logins."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--delete", action="store_true", help="delete them instead")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["delete"]:
            demos = User.objects.filter(is_demo=True)
            names = [user.username for user in demos.order_by("username")]
            demos.delete()
            self.stdout.write(f"deleted: {', '.join(names) or 'there were none'}")
            return
        if settings.PRODUCTION:
            raise CommandError("demo logins are for development: ORDINAL_ENV=production has none")
        for login in make_demo_logins():
            self.stdout.write(f"sign in as {login.role}: {login.username} / {login.password}")


# The passwords are drawn once per machine and kept beside the database: a reader of this text
# cannot sign in to a site that listens beyond its machine.
USERNAMES = {"learner": "learner", "instructor": "instructor"}


class DemoLogin(NamedTuple):
    """A name and password to sign in with."""

    role: str
    username: str
    password: str


def demo_passwords() -> dict[str, str]:
    """Return this machine's password per role; draw and keep them on the first call."""
    return dict(json.loads(read_or_draw(settings.VAR / "demo-logins.json", _draw_passwords)))


def _draw_passwords() -> str:
    return json.dumps({role: secrets.token_urlsafe(6) for role in USERNAMES})


@transaction.atomic
def make_demo_logins() -> list[DemoLogin]:
    """Make or renew the demo accounts. An account of that name that is no demo is left alone."""
    logins = []
    for role, password in demo_passwords().items():
        username = USERNAMES[role]
        user, made = User.objects.get_or_create(username=username, defaults={"is_demo": True})
        if not user.is_demo:
            continue
        if made or not user.check_password(password):
            user.set_password(password)
            user.save()
        if role == "instructor":
            set_instructor(user=user, teaches=True)
            _make_editor(user)
        logins.append(DemoLogin(role, username, password))
    return logins


def _make_editor(user: User) -> None:
    """Let the demo instructor write in every course that was loaded from files."""
    CourseStaff.objects.bulk_create(
        (
            CourseStaff(course=course, user=user, role=Role.EDITOR)
            for course in Course.objects.exclude(loaded_hash="")
        ),
        ignore_conflicts=True,
    )
