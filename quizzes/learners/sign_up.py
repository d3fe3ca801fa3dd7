"""Who may make an account: everybody, those whom a class invites, or nobody (`SIGNUP`)."""

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest

from quizzes.hooks import Hook

OPEN, INVITED, CLOSED = "open", "invited", "closed"


@Hook
def is_invited(request: HttpRequest, page: str, addresses: Sequence[str]) -> bool:  # noqa: ARG001
    """Say whether a class invites somebody who comes from this page, or has these addresses.

    The addresses are confirmed. Nobody is invited where there are no classes.
    """
    return False


def is_sign_up_open(request: HttpRequest, *, page: str, addresses: Sequence[str] = ()) -> bool:
    """Say whether somebody may make an account who goes on to `page`, "" for none.

    `addresses` are those for which a trusted provider vouches.
    """
    if settings.SIGNUP == OPEN:
        return True
    return settings.SIGNUP == INVITED and is_invited(request, page, addresses)
