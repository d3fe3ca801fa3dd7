"""Pages of sign-on: to the provider, back from it, the new account, and an account's ways in.

A sign-in is begun by a post, and its state lies in the session: which provider, for what, with what
nonce and verifier, by which account. The page that leads to the provider is a page and no redirect:
Content-Security-Policy's `form-action` also holds for redirects of a form, and a university's
sign-in goes over hosts that nobody here knows.
"""

import secrets
import time
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount import signals
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.views import SignupView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from quizzes.learners.allauth_internals import end_other_sessions
from quizzes.learners.models import User
from quizzes.learners.password_again import (
    ask_password,
    lead_on,
    must_type_password,
    note_confirmation,
)
from quizzes.learners.second_factor import (
    ask_code,
    ask_provider,
    has_second_factor,
    must_give_code,
)
from quizzes.learners.sessions.own_sessions import lock_account
from quizzes.learners.sign_on import client
from quizzes.learners.sign_on.adapter import already_here, confirmed_address, proofs_of
from quizzes.learners.sign_on.faults import Fault, SignOnError, error_code
from quizzes.learners.sign_on.id_token import Expected, has_just_signed_in, seconds_of, verify
from quizzes.learners.sign_on.identities import (
    connected_providers,
    identities_of,
    is_held_address,
    provider_of,
    providers,
)
from quizzes.learners.sign_on.outcomes import Outcome, note_outcome
from quizzes.learners.sign_on.provider import NAME_CLAIMS, VerifiedProvider, address_in, login_in
from quizzes.learners.sign_on.providers import OidcProvider
from quizzes.learners.sign_on.refusals import WAITING, refuse
from quizzes.learners.sign_up import take_kept_places
from quizzes.limits.limits import ROWS, LimitReachedError

LOGIN, CONNECT, REAUTHENTICATE = "login", "connect", "reauthenticate"
STATE_ROWS = 3  # of 300 bytes: what a session keeps of a sign-in that was begun
SIGN_UP_ROWS = 7  # and of one that waits for its form
LONGEST = 600  # seconds from the button to the end of its form
MOST_CODE = 4096  # characters; Entra ID's have up to 2000
LAST_WAY = "{name} is your only way to sign in, so it stays connected. {cure}"
OTHER_WAYS = {  # by LOCAL_PASSWORDS
    True: "Set a password first, or connect another account.",
    False: "Connect another account first.",
}
ADDED = "socialaccount/messages/account_connected.txt"
UPDATED = "socialaccount/messages/account_connected_updated.txt"
OTHERS = "socialaccount/messages/account_connected_other.txt"
DISCONNECTED = "{name} is no longer connected. Your other devices are signed out."


# ---- to the provider


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Show the button of a provider; POST leads to the provider."""
    provider = _provider(request, provider_id)
    onward = get_next_redirect_url(request) or ""
    process = request.POST.get("process", LOGIN)
    if process not in {LOGIN, CONNECT, REAUTHENTICATE}:
        process = LOGIN
    if process == LOGIN and request.user.is_authenticated:
        return HttpResponseRedirect(onward or reverse("socialaccount_connections"))
    if request.method != "POST":
        context = {"provider": provider.configured, "next": onward}
        return render(request, "socialaccount/login.html", context)
    if process != LOGIN and not request.user.is_authenticated:
        return redirect("account_login")
    if process == CONNECT and (question := _question_before_connecting(request)):
        return question
    if not request.user.is_authenticated:
        ROWS.spend(request, STATE_ROWS)
    try:
        address = _begin(request, provider, process=process, onward=onward)
    except SignOnError as error:
        return refuse(request, provider.configured, error)
    context = {"provider": provider.configured, "address": address}
    return render(request, "socialaccount/leave.html", context)


def _begin(request: HttpRequest, provider: VerifiedProvider, *, process: str, onward: str) -> str:
    nonce = secrets.token_urlsafe(24)
    wishes = {"nonce": nonce}
    if process == REAUTHENTICATE:
        wishes |= {"prompt": "login", "max_age": "0"}
    answer = provider.redirect(
        request,
        process=process,
        next_url=onward or None,
        auth_params=wishes,
        nonce=nonce,
        began_at=time.time(),
        account=request.user.pk,
    )
    return str(answer["Location"])


# ---- back from the provider


@never_cache
@require_GET
def come_back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Receive what the provider says, and sign in, sign up, connect or confirm."""
    provider = _provider(request, provider_id)
    try:
        state, claims = _verified(request, provider)
        sign_in = provider.sociallogin_from_response(request, claims)
        second_factor = _second_factor(provider, claims)
        if second_factor:
            sign_in.account.extra_data["second_factor"] = second_factor
        sign_in.state = state | {
            "second_factor": bool(second_factor),
            "signed_in_at": seconds_of(claims.get("auth_time")),
        }
        row = _identity(sign_in, claims)
        if state["process"] == REAUTHENTICATE:
            answer, outcome = _confirm(request, sign_in), Outcome.CONFIRMED
        elif state["process"] == CONNECT:
            answer = _connect(request, sign_in)
            is_connected = _opens(sign_in.account, request.user)
            outcome = Outcome.CONNECTED if is_connected else Outcome.NOT_CONNECTED
        else:
            answer = _sign_in(request, sign_in, row)
            outcome = _outcome_of_sign_in(request, answer, is_new=row is None)
    except SignOnError as error:
        return refuse(request, provider.configured, error)
    note_outcome(provider.configured, outcome)
    return answer


def _outcome_of_sign_in(request: HttpRequest, answer: HttpResponse, *, is_new: bool) -> Outcome:
    if request.user.is_authenticated:
        return Outcome.SIGNED_IN
    if not is_new:
        return Outcome.NEXT_STEP
    return Outcome.SIGN_UP if answer.status_code == 302 else Outcome.NOT_OPENED


def _opens(identity: SocialAccount, user: Any) -> bool:
    return identities_of(user).filter(provider=identity.provider, uid=identity.uid).exists()


def _verified(
    request: HttpRequest, provider: VerifiedProvider
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the state of this sign-in, which is used up, and the claims of its person."""
    try:
        state = provider.unstash_redirect_state(request, request.GET.get("state"))
    except PermissionDenied:
        raise SignOnError(Fault.STATE) from None
    if state["account"] not in {None, request.user.pk}:
        raise SignOnError(Fault.STATE, "another account signed in meanwhile")
    configured, code = provider.configured, request.GET.get("code")
    if error := request.GET.get("error"):
        fault = Fault.CANCELLED if error == "access_denied" else Fault.REFUSED
        raise SignOnError(fault, error_code(error))
    if not code or len(code) > MOST_CODE or not (code.isascii() and code.isprintable()):
        raise SignOnError(Fault.REFUSED, "a code that no provider gives" if code else "no code")
    configuration = client.known_configuration(configured)
    if request.GET.get("iss", configuration["issuer"]) != configuration["issuer"]:
        raise SignOnError(Fault.ISSUER, "iss of the address")
    tokens = client.exchange_code(
        configured,
        configuration,
        code=code,
        verifier=state["pkce_code_verifier"],
        callback=provider.get_oauth2_adapter(request).get_callback_url(request, provider.app),
    )
    expected = Expected(configuration["issuer"], configured.client, state["nonce"], time.time())
    claims = _signed_claims(configured, configuration, tokens["id_token"], expected)
    login_claim = configured.login_claim
    if not address_in(claims) or (login_claim and not login_in(claims, login_claim)):
        more = client.read_user_claims(configured, configuration, tokens)
        claims = _with_user_claims(claims, more, login_claim=login_claim)
    return state, claims


def _signed_claims(
    provider: OidcProvider, configuration: client.Json, token: str, expected: Expected
) -> dict[str, Any]:
    keys = client.known_keys(provider, configuration)
    try:
        return verify(token, keys, expected)
    except SignOnError as error:
        if error.fault not in {Fault.KEY, Fault.SIGNATURE}:
            raise
        newer = client.newer_keys(provider, configuration, than=keys)
        if newer is None:
            raise
    return verify(token, newer, expected)


def _with_user_claims(
    claims: dict[str, Any], more: dict[str, Any], *, login_claim: str
) -> dict[str, Any]:
    """Add name, login and address of the userinfo endpoint, which must be the same person's.

    Nobody signed that answer: how and when the person signed in is not taken from it. The address
    is taken with what is said of it there: one is not confirmed by the other's word.
    """
    if more and more.get("sub") != claims["sub"]:
        raise SignOnError(Fault.SUBJECT, "sub of userinfo is another")
    wishes = {*NAME_CLAIMS.values(), login_claim}
    names = {name: more[name] for name in wishes if name in more}
    if address_in(claims):
        return names | claims
    return names | claims | {name: more.get(name) for name in ("email", "email_verified")}


def _second_factor(provider: VerifiedProvider, claims: dict[str, Any]) -> str:
    """Return the value of `amr` or `acr` that stands for a second factor, "" without one."""
    methods = claims.get("amr")
    values = [*(methods if isinstance(methods, list) else [methods]), claims.get("acr")]
    standing = (value for value in values if value in provider.configured.second_factor)
    return next(standing, "")


def _identity(sign_in: Any, claims: dict[str, Any]) -> SocialAccount | None:
    """Return the stored identity of this person, None for a new one.

    Subjects of another issuer under the same id would be other people's: they are refused.
    """
    identity = sign_in.account
    row = SocialAccount.objects.filter(provider=identity.provider, uid=identity.uid).first()
    if row is not None and row.extra_data.get("iss") != claims["iss"]:
        former = row.extra_data.get("iss")
        detail = f"identities are of {former!r}: a provider with a new issuer needs a new id"
        raise SignOnError(Fault.ISSUER, detail)
    return row


def _sign_in(request: HttpRequest, sign_in: Any, row: SocialAccount | None) -> HttpResponse:
    if request.user.is_authenticated:  # in another tab, meanwhile
        if row is None or row.user_id != request.user.pk:
            raise SignOnError(Fault.SIGNED_IN)
        return HttpResponseRedirect(sign_in.state.get("next") or "/")
    if row is None:
        ROWS.spend(request, SIGN_UP_ROWS)
    answer: HttpResponse = complete_social_login(request, sign_in)
    return answer


def _connect(request: HttpRequest, sign_in: Any) -> HttpResponse:
    if question := _question_before_connecting(request):  # it was answered ten minutes ago
        return question
    try:
        with transaction.atomic():
            user = _account_now(request)
            message = _store_identity(request, sign_in, user)
    except IntegrityError:
        raise SignOnError(Fault.BUSY) from None
    level = messages.ERROR if message == OTHERS else messages.INFO
    get_account_adapter(request).add_message(request, level, message)
    page = sign_in.state.get("next") or reverse("socialaccount_connections")
    if message != OTHERS:
        page = take_kept_places(request, user, page, **proofs_of(sign_in))
    return HttpResponseRedirect(page)


def _account_now(request: HttpRequest) -> User:
    """Return the account of this request, locked, after the provider was asked."""
    user = lock_account(request)
    if user is None:
        raise SignOnError(Fault.STATE, "the session ended meanwhile")
    return user


def _store_identity(request: HttpRequest, sign_in: Any, user: User) -> str:
    """Connect the identity unless it opens an account already; return the template of a message.

    allauth's own connecting would write the whole account, as it was before the provider was asked.
    """
    sign_in.lookup()
    if sign_in.is_existing:
        return UPDATED if sign_in.user == user else OTHERS
    sign_in.user = sign_in.account.user = user
    sign_in.account.save()
    signals.social_account_added.send(sender=SocialLogin, request=request, sociallogin=sign_in)
    context = {"account": sign_in.account, "provider": sign_in.provider.configured}
    get_adapter().send_notification_mail(
        "socialaccount/email/account_connected", user, context=context
    )
    return ADDED


def _question_before_connecting(request: HttpRequest) -> HttpResponse | None:
    """Ask for what a new way to sign in needs, None where nothing is missing.

    A provider may stand in for the account's own second factor from then on. A stolen password
    would connect the thief's own account and never need a code again: so the code is asked first.
    """
    page = reverse("socialaccount_connections")
    if must_give_code(request):
        return ask_code(page=page)
    if answer := ask_provider(request):
        return answer
    return ask_password(request, page=page) if must_type_password(request) else None


def _confirm(request: HttpRequest, sign_in: Any) -> HttpResponse:
    with transaction.atomic():
        user = _account_now(request)
    if not _opens(sign_in.account, user):
        raise SignOnError(Fault.OTHER_IDENTITY)
    signed_in_at = sign_in.state["signed_in_at"]
    began_at = sign_in.state["began_at"]
    if not has_just_signed_in(signed_in_at, began_at=began_at, now=time.time()):
        ago = "missing" if signed_in_at is None else f"{time.time() - signed_in_at:.0f} s ago"
        raise SignOnError(Fault.NOT_RECENT, f"auth_time is {ago}")
    note_confirmation(request, user, method="provider")
    return lead_on(request, page=sign_in.state.get("next") or reverse("socialaccount_connections"))


# ---- a new account


class SignUpPage(SignupView):  # type: ignore[misc]  # allauth has no types
    """Ask for a user name; the rest is the provider's."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep the sign-in for another try where the form is refused at the last moment.

        It is kept for ten minutes: at a device that others use, the next person would get an
        account that the first one's provider opens.
        """
        waiting = request.session.get(WAITING)
        if waiting and time.time() - waiting["state"]["began_at"] > LONGEST:
            del request.session[WAITING]
            provider = provider_of(waiting["provider"]["id"])
            return refuse(request, provider, SignOnError(Fault.STATE, "the form stood too long"))
        try:
            answer: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        except IntegrityError:
            provider = self.sociallogin.provider.configured
            return refuse(request, provider, SignOnError(Fault.BUSY))
        except LimitReachedError:
            request.session[WAITING] = waiting
            raise
        except ImmediateHttpResponse as error:
            request.session[WAITING] = waiting
            refused: HttpResponse = error.response
            return refused
        return answer

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._taken(request) or super().get(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._taken(request) or super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        if self.request.user.is_authenticated:
            note_outcome(self.sociallogin.provider.configured, Outcome.SIGNED_IN)
        return answer

    def _taken(self, request: HttpRequest) -> HttpResponse | None:
        """Look once more, for an address that was confirmed here while the form stood open."""
        if not is_held_address(confirmed_address(self.sociallogin)):
            return None
        answer: HttpResponse = already_here(request, self.sociallogin)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {
            "provider": self.sociallogin.provider.configured,
            "address": confirmed_address(self.sociallogin),
            "connections": reverse("socialaccount_connections"),
        }


sign_up = never_cache(SignUpPage.as_view())


# ---- an account's ways to sign in


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def connections(request: HttpRequest) -> HttpResponse:
    """Show every way to sign in to an account; POST disconnects a provider."""
    user = request.user
    assert isinstance(user, User)
    if request.method == "POST":
        if must_type_password(request):
            return ask_password(request, page=request.path)
        _disconnect(request, user)
        return redirect("socialaccount_connections")
    rows = SocialAccount.objects.filter(user=user).order_by("pk")
    connected = connected_providers(user)
    context = {
        "identities": [(row, provider_of(row.provider)) for row in rows],
        "others": [provider for provider in providers() if provider not in connected],
        "has_password": user.has_usable_password(),
        "has_code": has_second_factor(user),
    }
    return render(request, "socialaccount/connections.html", context)


@transaction.atomic
def _disconnect(request: HttpRequest, user: User) -> None:
    User.objects.select_for_update().get(pk=user.pk)  # two at once would leave no way in
    number = request.POST.get("identity", "")
    rows = SocialAccount.objects.filter(user=user)
    row = rows.filter(pk=number).first() if number.isdecimal() and len(number) < 10 else None
    if row is None:
        raise Http404("this account has no such identity")
    provider = provider_of(row.provider)
    name = provider.name if provider else row.provider
    if not (user.has_usable_password() or identities_of(user).exclude(pk=row.pk).exists()):
        cure = OTHER_WAYS[settings.LOCAL_PASSWORDS]
        messages.error(request, LAST_WAY.format(name=name, cure=cure))
        return
    row.delete()
    end_other_sessions(request, user)  # its provider may have opened them, for somebody else
    signals.social_account_removed.send(sender=SocialAccount, request=request, socialaccount=row)
    template = "socialaccount/email/account_disconnected"
    get_adapter().send_notification_mail(template, user, context={"name": name})
    messages.success(request, DISCONNECTED.format(name=name))


def _provider(request: HttpRequest, provider_id: str) -> VerifiedProvider:
    if provider_of(provider_id) is None:
        raise Http404("this site has no such provider")
    provider: VerifiedProvider = get_adapter().get_provider(request, provider_id)
    return provider
