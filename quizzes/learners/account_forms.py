"""Forms of accounts that are stricter than django-allauth's own."""

from typing import Any

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError

from quizzes.learners.models import User
from quizzes.learners.sign_on.identities import connected_providers

WRONG = "That is not the password of this account."
ELSEWHERE = "Your account has no password here. Sign in with {names}."


def check_own_password(user: User, password: str) -> None:
    """Raise ValidationError unless this is the password of the account that is signed in.

    Each wrong one counts towards the lockout, as at the sign-in; `check_password` would count
    none, and an open session could try passwords without end.
    """
    if not get_adapter().reauthenticate(user, password):
        raise ValidationError(WRONG, code="incorrect_password")


class ConfirmPasswordForm(forms.ReauthenticateForm):  # type: ignore[misc]  # allauth has no types
    """Ask for the password again. It is the only field of its page, so the focus begins there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].widget.attrs["autofocus"] = True
        self.fields["password"].help_text = ""  # the page has that link already

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        check_own_password(self.user, password)
        return password


class ChangePasswordForm(forms.ChangePasswordForm):  # type: ignore[misc]  # allauth has no types
    """Ask for the present password and a new one."""

    def clean_oldpassword(self) -> str:
        password = str(self.cleaned_data["oldpassword"])
        check_own_password(self.user, password)
        return password


class LinkPasswordForm(forms.ResetPasswordKeyForm):  # type: ignore[misc]  # allauth has no types
    """Set a password through a link, unless passwords were turned off since it was sent.

    `user` is None where the link has ended: its page makes a form too.
    """

    user: User | None

    def clean(self) -> dict[str, Any]:
        if self.user and self.user.signs_in_elsewhere:
            names = [provider.name for provider in connected_providers(self.user)]
            message = ELSEWHERE.format(names=" or ".join(names) or "your provider")
            raise ValidationError(message, code="signs_in_elsewhere")
        cleaned: dict[str, Any] = super().clean()
        return cleaned


class ResetPasswordForm(forms.ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """Send a link to a confirmed address only.

    An address that was typed and never confirmed proves nothing: it can be a stranger's, by a slip
    or on purpose. The page answers the same; the message says that no account has confirmed it.
    """

    users: list[User]

    def clean_email(self) -> str:
        email = str(super().clean_email())
        mine = EmailAddress.objects.filter(email=email.lower(), verified=True)
        confirmed = set(mine.values_list("user_id", flat=True))
        users = (user for user in self.users if user.pk in confirmed)
        self.users = [user for user in users if not user.signs_in_elsewhere]
        return email
