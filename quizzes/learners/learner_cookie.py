"""The signed cookie that names the learner of a browser without an account."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

SALT = "learner"
FORMER_NAME = "learner"  # until cookies got the prefix `__Host-` in production
COOKIE_LASTS = timedelta(days=365)


def named_learner(request: HttpRequest) -> uuid.UUID | None:
    """Return what the cookie names, if it is signed by us; it may be gone from the database."""
    name = settings.LEARNER_COOKIE_NAME
    signed = request.COOKIES.get(name) or request.COOKIES.get(FORMER_NAME, "")
    try:
        return uuid.UUID(signing.loads(signed, salt=SALT, max_age=COOKIE_LASTS))
    except (ValueError, TypeError, AttributeError, signing.BadSignature):
        return None
