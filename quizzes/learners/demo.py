"""The demo logins of a development site: one learner and one instructor.

Their passwords are drawn once per machine and kept beside the database, so that nobody who knows
this text can sign in to a site that listens beyond this machine.
"""

import json
import secrets
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import transaction

from quizzes.learners.models import INSTRUCTORS, User
from quizzes.learners.secret_files import read_or_draw

USERNAMES = {"learner": "learner", "instructor": "instructor"}


class DemoLogin(NamedTuple):
    """What someone types to sign in."""

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
    """Make or renew the demo accounts. An account somebody made under the name is left alone."""
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
            user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
        logins.append(DemoLogin(role, username, password))
    return logins
