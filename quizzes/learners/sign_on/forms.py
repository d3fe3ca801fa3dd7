"""The form of a new account that a provider vouches for."""

from typing import Any

from allauth.socialaccount.forms import SignupForm
from django.http import HttpRequest

from quizzes.learners.models import User
from quizzes.learners.sign_on.adapter import confirmed_address


class ProviderSignUpForm(SignupForm):  # type: ignore[misc]  # allauth has no types
    """Ask for a user name, and for an e-mail address unless the provider's counts as confirmed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._confirmed = confirmed_address(self.sociallogin)
        if self._confirmed:
            self.fields["email"].disabled = True  # what is posted for it counts nothing
            self.initial["email"] = self._confirmed

    def save(self, request: HttpRequest) -> User:
        """Store the account with the typed address alone, where the provider's proves nothing."""
        if not self._confirmed:
            self.sociallogin.email_addresses = []
        user: User = super().save(request)
        return user
