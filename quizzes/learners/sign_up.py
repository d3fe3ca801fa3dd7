"""Who may make an account (`SIGNUP`), and the places that classes keep for its person."""

from collections.abc import Sequence
from typing import TypedDict

from django.conf import settings
from django.http import HttpRequest

from quizzes.hooks import Hook
from quizzes.learners.models import User

OPEN, INVITED, CLOSED = "open", "invited", "closed"


class Proofs(TypedDict, total=False):
    """For what a trusted provider vouches in a sign-in of this moment."""

    addresses: Sequence[str]
    login: str


@Hook
def is_invited(
    request: HttpRequest,  # noqa: ARG001
    page: str,  # noqa: ARG001
    addresses: Sequence[str],  # noqa: ARG001
    login: str,  # noqa: ARG001
) -> bool:
    """Say whether a class invites the person on this page, or with this address or login.

    A trusted provider vouches for them. Nobody is invited where there are no classes.
    """
    return False


@Hook
def take_kept_places(
    request: HttpRequest,  # noqa: ARG001
    user: User,  # noqa: ARG001
    page: str,
    addresses: Sequence[str] = (),  # noqa: ARG001
    login: str = "",  # noqa: ARG001
) -> str:
    """Give an account the places that classes keep for it, and return the page to show next.

    It is called at each sign-in: a roster may come after the account. `page` is where the sign-in
    led. What the account has confirmed counts, and these addresses and this login, for which a
    trusted provider vouches just now.
    """
    return page


def is_sign_up_open(
    request: HttpRequest, *, page: str, addresses: Sequence[str] = (), login: str = ""
) -> bool:
    """Say whether somebody may make an account who goes on to `page`, "" for none.

    A trusted provider vouches for the addresses and the login.
    """
    if settings.SIGNUP == OPEN:
        return True
    return settings.SIGNUP == INVITED and is_invited(request, page, addresses, login)
