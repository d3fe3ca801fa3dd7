"""What is kept about a visitor: see it, take it away, delete it."""

import json

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.learners.account_forms import check_own_password
from quizzes.learners.models import Learner, User
from quizzes.learners.password_again import ask_password
from quizzes.learners.services import current_learner, forget_cookie
from quizzes.study.erasing import AdministratorError, erase
from quizzes.study.exporting import counts_of, export_of

WORD = "delete"


class EraseForm(forms.Form):
    """Deleting is confirmed by typing a word, and with an account by its password."""

    word = forms.CharField(label=f"Type “{WORD}” to confirm", max_length=20)
    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: object, user: User | None, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.user = user
        if user is None or not user.has_usable_password():
            del self.fields["password"]

    def clean_word(self) -> str:
        word = str(self.cleaned_data["word"]).strip().lower()
        if word != WORD:
            raise forms.ValidationError(f"Type the word {WORD}. Nothing was deleted.")
        return word

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if self.user is not None:
            check_own_password(self.user, password)
        return password


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_data(request: HttpRequest) -> HttpResponse:
    """Say what is kept; POST deletes it."""
    learner, user = _who(request)
    if request.method != "POST":
        return _page(request, learner, user, EraseForm(user=user), status=200)
    form = EraseForm(request.POST, user=user)
    if not form.is_valid():
        return _page(request, learner, user, form, status=400)
    try:
        erase(learner=learner, user=user)
    except AdministratorError:
        form.add_error(None, "An administrator's account is deleted in the administration.")
        return _page(request, learner, user, form, status=400)
    logout(request)
    forget_cookie(request)
    messages.success(request, "What was kept about you is deleted.")
    return redirect("study:home")


@never_cache
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """Give all of it as one JSON file; an account's only if its password was typed just now."""
    learner, user = _who(request)
    if user is not None and is_reauthentication_required(request, app=""):
        # Back to the page, which starts the download: a file alone would leave the form standing.
        return ask_password(request, page=f"{reverse('study:my_data')}?download=1")
    told = export_of(learner=learner, user=user)
    text = json.dumps(told, indent=1, ensure_ascii=False, default=str)
    headers = {"Content-Disposition": 'attachment; filename="ordinal-my-data.json"'}
    return HttpResponse(text, content_type="application/json", headers=headers)


def _who(request: HttpRequest) -> tuple[Learner | None, User | None]:
    user = request.user if isinstance(request.user, User) else None
    return current_learner(request), user


def _page(
    request: HttpRequest,
    learner: Learner | None,
    user: User | None,
    form: EraseForm,
    *,
    status: int,
) -> HttpResponse:
    counts = counts_of(learner=learner, user=user)
    tables = [(name, number) for name, number in counts.items() if number]
    context = {
        "form": form,
        "learner": learner,
        "account": user,
        "tables": sorted(tables),
        "download": request.method == "GET" and "download" in request.GET,
    }
    return render(request, "study/my_data.html", context, status=status)
