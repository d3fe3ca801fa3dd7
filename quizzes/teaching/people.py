"""Accounts as superusers see them: found by name or address, with their roles and addresses."""

from allauth.account import app_settings
from allauth.account.forms import ResetPasswordForm
from allauth.account.models import EmailAddress
from allauth.utils import get_form_class
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest

from quizzes.learners.models import INSTRUCTORS, User

ROLES = {"instructors": "Instructors", "superusers": "Superusers"}
MOST_WORDS = 5


class PasswordLinkError(Exception):
    """No link to a new password was sent to this account; the text is a sentence that says why.

    A link to an address that was never verified would give the account to whoever reads there.
    """


def found_people(words: str, *, role: str) -> QuerySet[User]:
    """Return accounts whose names or addresses have every word: two queries for any number.

    `in_group`: whether it is an instructor; `addresses`: its e-mail addresses, the first primary.
    """
    membership = User.groups.through.objects.filter(user=OuterRef("pk"), group__name=INSTRUCTORS)
    found = User.objects.annotate(in_group=Exists(membership))
    for word in words.split()[:MOST_WORDS]:
        found = found.filter(_has(word))
    if role in ROLES:
        found = found.filter(Q(in_group=True) if role == "instructors" else Q(is_superuser=True))
    addresses = EmailAddress.objects.order_by("-primary", "-verified", "email")
    return found.prefetch_related(
        Prefetch("emailaddress_set", queryset=addresses, to_attr="addresses")
    ).order_by(Lower("username"), "pk")


def _has(word: str) -> Q:
    typed = EmailAddress.objects.filter(user=OuterRef("pk"), email__icontains=word)
    return (
        Q(username__icontains=word)
        | Q(first_name__icontains=word)
        | Q(last_name__icontains=word)
        | Q(email__icontains=word)
        | Q(Exists(typed))
    )


def without_link(user: User) -> str:
    """Return why no password link can be sent to an account of `found_people`; "" when one can."""
    if not user.is_active:
        return "The account is not active."
    addresses: list[EmailAddress] = vars(user)["addresses"]
    if any(address.verified for address in addresses):
        return ""
    if addresses or user.email:
        return "No address of this account is verified."
    return "The account has no e-mail address."


def send_password_link(request: HttpRequest, user: User) -> str:
    """Send the site's own mail with a link to a new password; return the address it went to.

    Raises PasswordLinkError when there is nowhere to send it, or when it could not be sent.
    """
    (found,) = found_people("", role="").filter(pk=user.pk)
    if why := without_link(found):
        raise PasswordLinkError(f"No password link was sent to {user.username}. {why}")
    address = str(EmailAddress.objects.get_verified(user))
    form = get_form_class(app_settings.FORMS, "reset_password", ResetPasswordForm)(
        {"email": address}
    )
    if not form.is_valid() or form.users != [user]:
        raise PasswordLinkError(f"No password link was sent: {address} finds another account.")
    form.save(request)
    if error := getattr(request, "mail_failed", None):  # by the account adapter, which sends it
        raise PasswordLinkError(f"No password link was sent: the mail server said {error}.")
    return address
