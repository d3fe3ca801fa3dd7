"""Checks of the accounts of a production site."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.database, deploy=True)
def no_demo_logins(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Refuse demo logins in production: their passwords lie in a file and on a terminal."""
    from quizzes.learners.models import User

    if not settings.PRODUCTION or not databases:
        return []
    names = (
        User.objects.filter(is_demo=True).order_by("username").values_list("username", flat=True)
    )
    if not names:
        return []
    return [
        Error(
            f"demo logins in a production database: {', '.join(names)}",
            hint="Delete them: manage.py demo_logins --delete",
            id="learners.E001",
        )
    ]
