"""The signed cookie that names the learner of a browser without an account."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest

FORMER_NAME = "learner"  # until cookies got the prefix `__Host-` in production
COOKIE_LASTS = timedelta(days=365)


def cookie_text(learner: uuid.UUID) -> str:
    """Return the text of the cookie. It counts under the name of the cookie alone.

    Another site of the same domain may set a cookie of the former name, but has nothing to write
    into it: what we give today does not count there. So it leads nobody into its own learner's
    work, which the visitor's account would adopt.
    """
    return signing.dumps(str(learner), salt=settings.LEARNER_COOKIE_NAME)


def named_learner(request: HttpRequest) -> uuid.UUID | None:
    """Return the learner's key in a cookie of our signature; the row may be gone."""
    for name in (settings.LEARNER_COOKIE_NAME, FORMER_NAME):
        for salt in {name, FORMER_NAME}:
            if (found := _read(request.COOKIES.get(name, ""), salt)) is not None:
                return found
    return None


def _read(text: str, salt: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(signing.loads(text, salt=salt, max_age=COOKIE_LASTS)) if text else None
    except (ValueError, TypeError, AttributeError, signing.BadSignature):
        return None
