"""The page of a sign-in by a provider that ends without a session."""

import logging

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from quizzes.learners.allauth_internals import clear_login
from quizzes.learners.sign_on.client import NotAskedError
from quizzes.learners.sign_on.faults import Fault, SignOnError
from quizzes.learners.sign_on.outcomes import note_outcome
from quizzes.learners.sign_on.providers import OidcProvider

log = logging.getLogger(__name__)
WAITING = "socialaccount_sociallogin"  # in the session: allauth's sign-in without an account


def refuse(request: HttpRequest, provider: OidcProvider | None, error: SignOnError) -> HttpResponse:
    """Answer with what happened and what to do, and write a line into the log."""
    fault, name = error.fault, provider.name if provider else "the provider"
    if provider is not None and not isinstance(error, NotAskedError):  # that is this site's doing
        note_outcome(provider, fault, error.detail)
    log.warning("sign-on by %s: %s", provider.id if provider else "a removed provider", error)
    context = {
        "sentence": fault.sentence(name),
        "cure": fault.cure(name),
        "code": fault.name.lower(),
    }
    return render(request, "socialaccount/fault.html", context, status=fault.status)


def end_waiting(request: HttpRequest) -> HttpResponse:
    """Forget a sign-in that waits for its form or its code, and cannot be read any more.

    Its provider was taken from the settings meanwhile, or has another client there.
    """
    request.session.pop(WAITING, None)
    clear_login(request)
    return refuse(request, None, SignOnError(Fault.STATE, "it was begun with other settings"))
