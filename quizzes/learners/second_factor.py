"""The second factor of accounts: codes of an app (TOTP), and recovery codes.

django-allauth asks and checks. What is ours: secrets lie encrypted in the database, so that a
backup alone makes no codes; wrong codes are counted; who teaches must have one in production, from
fourteen days after the first sign-in. Then such an account sees nothing of the site but its own
pages until it has one: a page of a learner's work is not only under `/teach/`. And who takes the
second factor away, or reads the codes that stand in for it, gives a code once more: a password and
an open session are what it is there to withstand.

A sign-in by a provider needs no code, and fulfils the duty, where the provider says that it asked
for a second factor itself, in a value of `amr` or `acr` that the settings name. From then on, that
is the second factor of the account: a session that has not given it sets up no app, and neither
adds nor removes a way to sign in. With a stolen password alone, a thief could otherwise set up an
app of their own.
"""

import base64
import hashlib
import logging
import time
from datetime import datetime, timedelta
from typing import Any

from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base import forms
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.utils import encrypt
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from quizzes.content_files.typed_text import fold_for_comparison
from quizzes.learners.allauth_internals import (
    generate_totp_secret,
    get_authentication_records,
    record_authentication,
)
from quizzes.learners.models import User
from quizzes.learners.sign_on.identities import providers_with_second_factor
from quizzes.limits.bucket import Bucket
from quizzes.limits.middleware import SAFE

log = logging.getLogger(__name__)
REQUIRED_AFTER = timedelta(days=14)
# A visitor who has come as far as this has typed the right password, so nobody can close another's
# account. Guesses: 8 at once, then one in five minutes; of a million codes, 300 a day.
CODES = Bucket("codes of an account", per_second=1 / 300, at_once=8)
# Views that need a code of the last minutes, where the account has a second factor.
ASKING_FOR_A_CODE = {
    "mfa_deactivate_totp",
    "mfa_generate_recovery_codes",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
}
# Views that need the provider's second factor where it is the only one of the account: of the
# connections, only what is posted.
ASKING_FOR_THE_PROVIDER = {"mfa_activate_totp", "socialaccount_connections"}
OPEN_WITHOUT = ("/accounts/", "/me/data/", "/healthz", "/metrics")
SET_UP = (
    "Teaching accounts on this site need a second factor. Set one up here; you can open the other "
    "pages once you have one."
)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Encrypts secrets with a key made of SECRET_KEY; former keys still open them."""

    def encrypt(self, text: str) -> str:
        return _ciphers().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _ciphers().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # Its key is neither SECRET_KEY nor a former one. No code may fit: an empty secret would
            # have codes that anybody can compute.
            log.exception("a second factor cannot be opened: SECRET_KEY_FALLBACKS lacks its key")
            return str(generate_totp_secret())

    def get_totp_issuer(self) -> str:
        return "Ordinal"


def _ciphers() -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_key_of(key)) for key in keys])


def _key_of(secret: str) -> bytes:
    digest = hashlib.blake2b(secret.encode(), digest_size=32, person=b"second factor").digest()
    return base64.urlsafe_b64encode(digest)


class _CountedCode:
    """Takes one from the account's tries with each code, right or wrong."""

    user: User
    cleaned_data: dict[str, Any]

    def clean_code(self) -> str:
        wait = CODES.take(f"account {self.user.pk}")
        if wait:
            minutes = round(1 / CODES.per_second / 60)
            raise ValidationError(
                f"Too many codes were tried for this account. Try again in {minutes} minutes.",
                code="too_many",
            )
        self.cleaned_data["code"] = fold_for_comparison(self.cleaned_data["code"])
        return str(super().clean_code())  # type: ignore[misc]  # of allauth's form


class AuthenticateForm(_CountedCode, forms.AuthenticateForm):  # type: ignore[misc]
    """Ask for a code at the sign-in."""


class ReauthenticateForm(_CountedCode, forms.ReauthenticateForm):  # type: ignore[misc]
    """Ask for a code once more."""


class ActivateForm(ActivateTOTPForm):  # type: ignore[misc]
    """Set up an app: its first code counts as one that was asked for, so the next page opens.

    allauth compares the first code and does not mark it as used: it would open a sign-in within
    the same half minute. So it is checked once more, as a code of the factor that is to be.
    """

    def clean_code(self) -> str:
        self.cleaned_data["code"] = fold_for_comparison(self.cleaned_data["code"])
        code = str(super().clean_code())
        secret = {"secret": encrypt(self.secret)}
        factor = Authenticator(user=self.user, type=Authenticator.Type.TOTP, data=secret)
        if not factor.wrap().validate_code(code):
            raise get_adapter().validation_error("incorrect_code")
        record_authentication(context.request, self.user, "mfa", type=Authenticator.Type.TOTP)
        return code


def has_second_factor(user: User) -> bool:
    """Return whether signing in to this account needs a code. One query."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def must_have_one_from(user: User) -> datetime | None:
    """Return when this account needs a second factor, None for accounts that never do.

    Nobody is asked where demo logins can exist, in development.
    """
    if not settings.PRODUCTION or user.is_demo or user.first_signed_in_at is None:
        return None
    if not (user.finds_teaching or user.is_staff):
        return None
    return user.first_signed_in_at + REQUIRED_AFTER


def note_first_sign_in(*, user: User, **_: object) -> None:
    """Receive `user_logged_in`: the days until a second factor is required begin."""
    if user.first_signed_in_at is None:
        user.first_signed_in_at = timezone.now()
        first = User.objects.filter(pk=user.pk, first_signed_in_at=None)
        first.update(first_signed_in_at=user.first_signed_in_at)


def notice_for(request: HttpRequest | None) -> datetime | None:
    """Return until when its account should set up a second factor, None if nothing is to say."""
    user = getattr(request, "user", None)
    if request is None or not isinstance(user, User):
        return None
    required_from = must_have_one_from(user)
    if required_from is None or _has_any_factor(request, user):
        return None
    return required_from


def _has_any_factor(request: HttpRequest, user: User) -> bool:
    return provider_gave_second_factor(request, user) or has_second_factor(user)


def reset_second_factor(*, user: User) -> int:
    """Take away the second factor and its recovery codes; return how many things were removed."""
    return int(Authenticator.objects.filter(user=user).delete()[0])


def gave_a_code(request: HttpRequest, user: User) -> bool:
    """Return whether this session gave a code, of the app or for recovery, in the last minutes."""
    records = get_authentication_records(request, user)
    since = time.time() - settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    return any(one["method"] == "mfa" and one["at"] > since for one in records)


def must_give_code(request: HttpRequest) -> bool:
    """Return whether the account has a second factor, and gave no code in the last minutes."""
    user = request.user
    return isinstance(user, User) and has_second_factor(user) and not gave_a_code(request, user)


def ask_code(*, page: str) -> HttpResponse:
    """Lead to the page for a code, and from there to `page`, which must answer a GET."""
    query = urlencode({"next": page, "only": "code"})
    return redirect(f"{reverse('mfa_reauthenticate')}?{query}")


def note_provider(request: HttpRequest, user: User, *, second_factor: bool) -> None:
    """Note how a provider signed the account in, in the records of the session."""
    record_authentication(request, user, "provider", second_factor=second_factor)


def provider_gave_second_factor(request: HttpRequest, user: User) -> bool:
    """Return whether this session was opened by a provider that asked for a second factor."""
    records = get_authentication_records(request, user)
    return any(record.get("second_factor") is True for record in records)


class CodeStage(AuthenticateStage):  # type: ignore[misc]  # allauth has no types
    """Asks for a code at the sign-in, unless its provider asked for a second factor."""

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return the page that asks, and whether the sign-in goes on without it."""
        user = self.login.user
        if isinstance(user, User) and provider_gave_second_factor(self.request, user):
            return None, True
        stage: tuple[HttpResponse | None, bool] = super().handle()
        return stage


def set_up_first(request: HttpRequest) -> HttpResponse | None:
    """Lead an account that needs a second factor to where it is set up, from everywhere."""
    if not settings.PRODUCTION or not _must_set_up(request):
        return None
    if page := ask_provider(request):
        return page
    if request.method in SAFE:
        messages.warning(request, SET_UP)
    return redirect("mfa_activate_totp")


def code_first(request: HttpRequest) -> HttpResponse | None:
    """Ask for a code before the second factor can be taken away or gone around."""
    match = request.resolver_match
    if match is None or match.view_name not in ASKING_FOR_A_CODE or not must_give_code(request):
        return None
    return ask_code(page=request.get_full_path() if request.method in SAFE else request.path)


def provider_first(request: HttpRequest) -> HttpResponse | None:
    """Lead to the provider before an app is set up, or a way to sign in is removed."""
    match = request.resolver_match
    if match is None or match.view_name not in ASKING_FOR_THE_PROVIDER:
        return None
    if match.view_name == "socialaccount_connections" and request.method in SAFE:
        return None
    return ask_provider(request)


def ask_provider(request: HttpRequest) -> HttpResponse | None:
    """Lead to the provider that has the only second factor of this account.

    None where this session gave it, or the account has an app of its own or none at all.
    """
    user = request.user
    if not isinstance(user, User) or _has_any_factor(request, user):
        return None
    there = providers_with_second_factor(user)
    if not there:
        return None
    context = {"providers": there, "names": " or ".join(provider.name for provider in there)}
    return render(request, "account/second_factor_there.html", context, status=403)


def _must_set_up(request: HttpRequest) -> bool:
    if request.path_info.startswith(OPEN_WITHOUT) or not isinstance(request.user, User):
        return False
    required_from = must_have_one_from(request.user)
    if required_from is None or timezone.now() < required_from:
        return False
    return not _has_any_factor(request, request.user)
