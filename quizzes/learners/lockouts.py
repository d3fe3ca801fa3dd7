"""What failed sign-ins are counted for."""

from typing import Any

from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from django.http import HttpRequest


def counted_name(_request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """Return the user name of the account meant, whatever way it was typed.

    `ada`, `ADA` and each of her e-mail addresses open one account, so wrong passwords for them
    are counted together; otherwise each spelling would have tries of its own.
    """
    given = credentials or {}
    typed = given.get("username") or given.get("email")
    if not typed:
        return None
    user = get_user_by_username(typed)
    if user is None:
        found = filter_users_by_email(typed, prefer_verified=True, for_login=True)
        user = found[0] if len(found) == 1 else None
    return str(user.get_username() if user else typed)
