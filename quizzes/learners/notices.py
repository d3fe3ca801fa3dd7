"""Messages to an account's old address when the ways to sign in to it change.

django-allauth tells the main address of a changed password, and the old main address of a new
one. It says nothing of an address that is added, and tells of a removed one the address that is
left. An intruder adds an address, makes it the main one and removes the owner's, so the owner must
hear of the first step and of the last.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress

from quizzes.learners.models import User


def tell_of_added(user: User, email_address: EmailAddress, **_: Any) -> None:
    """Tell the account's main address that another one was added."""
    told = {"added_email": email_address.email}
    get_adapter().send_notification_mail("account/email/email_added", user, told)


def tell_of_removed(user: User, email_address: EmailAddress, **_: Any) -> None:
    """Tell a removed address itself; allauth tells the main one.

    An address that was never confirmed may be a stranger's and hears nothing, unless it was the
    main one: then it has had all other messages as well.
    """
    if email_address.verified or email_address.primary:
        told = {"deleted_email": email_address.email}
        adapter = get_adapter()
        adapter.send_notification_mail(
            "account/email/email_deleted", user, told, email=email_address.email
        )
