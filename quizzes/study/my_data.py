"""The data about a visitor: see it, download it, delete it."""

import base64
import json
import math
import uuid
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.db.models import ManyToOneRel, Model, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.assessment.models import Attempt, Option, RegradedResponse, Response
from quizzes.classes.marks.frozen_marks import classes_of
from quizzes.classes.messages import comments_to
from quizzes.classes.models import (
    Announcement,
    AssignmentException,
    Deed,
    FrozenMarks,
    LinkMail,
    MarkOverride,
)
from quizzes.content_files.typed_text import fold_for_comparison
from quizzes.exercises.models import CasePicture, CodeRun, PreviousVerdict, TrialVerdict
from quizzes.grader.api import storable
from quizzes.learners.account_forms import check_own_password
from quizzes.learners.account_merge import columns_naming_learners
from quizzes.learners.hidden_answers import Hidden, hidden_answers
from quizzes.learners.models import Learner, User
from quizzes.learners.password_again import ask_password, must_type_password
from quizzes.learners.services import current_learner, forget_cookie
from quizzes.study.data_erasure import AdministratorError, erase

WORD = "delete"


class EraseForm(forms.Form):
    """The visitor confirms the deletion by typing a word, and with an account by its password."""

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
        word = fold_for_comparison(str(self.cleaned_data["word"])).lower()
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
    """Show which data is kept; POST deletes it."""
    learner, user = _who(request)
    if request.method != "POST":
        return _page(request, learner, user, EraseForm(user=user), status=200)
    if user is not None and not user.has_usable_password() and must_type_password(request):
        return ask_password(request, page=request.path)
    form = EraseForm(request.POST, user=user)
    if not form.is_valid():
        return _page(request, learner, user, form, status=400)
    try:
        erase(learner=learner, user=user)
    except AdministratorError:
        form.add_error(
            None, "An administrator's account can only be deleted in the site administration."
        )
        return _page(request, learner, user, form, status=400)
    logout(request)
    forget_cookie(request)
    messages.success(request, "The data that identifies you has been deleted.")
    return redirect("study:home")


@never_cache
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """Answer with all data as one JSON file; for an account only right after its password."""
    learner, user = _who(request)
    if user is not None and must_type_password(request):
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
        "classes": classes_of(user),
        "download": request.method == "GET" and "download" in request.GET,
    }
    return render(request, "study/my_data.html", context, status=status)


# ---- the export: whatever names the learner or the account, table by table

# A hash, of no use to its owner; words for the staff; which worker graded; what makes the codes of
# a second factor; the key of an open session: who finds the file must not get the account.
SECRET = {
    *("password", "our_failure", "leased_by", "data", "session_key", "invite_token"),
    "fingerprint",
}
# Columns of one table that are words between the staff of a class.
OF_STAFF: Mapping[type[Model], set[str]] = {AssignmentException: {"note", "made_by"}}
# The texts that are shown with an answer.
RELATED = ("version__question__course", "instance", "choice")
UNREADABLE = "(cannot be read any more)"
NAMES: Mapping[type[Model], str] = {SocialAccount: "accounts you sign in with"}
COURSE = "course"  # of every table that names things of a course
Row = dict[str, Any]
# Tables that name a row of a learner or a place in a class, and no learner, and why the export
# leaves them out.
LEFT_OUT: Mapping[type[Model], str] = {
    CodeRun: "it is deleted after an hour; its code is among the submissions until then",
    CasePicture: "drawn from its submission's report, which is included",
    MarkOverride: "it may not be shown yet; the class page shows it as soon as it may be",
    Announcement.to.through: "the class page has the messages themselves",
    Deed.members.through: "what came of it is included: messages and review cards",
    LinkMail: "it is deleted when the invited person joins, so no account has any",
}


def export_of(*, learner: Learner | None, user: User | None) -> Row:
    """Return everything of a learner and of an account, table by table, ready for JSON.

    A new table that names learners is exported without a change here.
    """
    told: Row = {"exported_at": timezone.now().isoformat()}
    if user is not None:
        told["account"] = _row(user)
    if learner is not None:
        told["learner"] = _row(learner)
    hidden = hidden_answers(learner)
    for rows in _tables(learner, user):
        told.setdefault(table_name(rows.model), []).extend(_told(rows, hidden))
    return told


def counts_of(*, learner: Learner | None, user: User | None) -> dict[str, int]:
    """Count the rows of each table in the export, without reading them."""
    counts: dict[str, int] = {}
    for rows in _tables(learner, user):
        name = table_name(rows.model)
        counts[name] = counts.get(name, 0) + rows.count()
    return counts


def _tables(learner: Learner | None, user: User | None) -> Iterable[QuerySet[Any]]:
    if user is not None:
        for model, field in columns_naming_accounts():
            if model is not PreviousVerdict:  # an instructor asked for it; the work is a learner's
                yield model._base_manager.filter(**{field: user})
    if learner is not None:
        for model, field in columns_naming_learners():
            yield model._base_manager.filter(**{field: learner})
        yield PreviousVerdict.objects.filter(submission__learner=learner)
        yield TrialVerdict.objects.filter(submission__learner=learner, applied_at__isnull=False)
        mine = Q(response__learner=learner) | Q(response__attempt__learner=learner)
        yield RegradedResponse.objects.filter(mine)
        yield comments_to(learner)
    if user is not None:
        yield AssignmentException.objects.filter(membership__user=user)
        yield FrozenMarks.objects.filter(membership__user=user)


def table_name(model: type[Model]) -> str:
    """Return what the page and the export call the rows of a table."""
    return NAMES.get(model) or str(model._meta.verbose_name_plural)


def columns_naming_accounts() -> list[tuple[type[Model], str]]:
    """Return every foreign key to an account except the one from its learner."""
    return [
        (relation.related_model, relation.field.name)
        for relation in User._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel) and relation.related_model is not Learner
    ]


def _told(rows: QuerySet[Any], hidden: Collection[Hidden]) -> Iterable[Row]:
    """Yield the rows of one table, with a constant number of queries.

    PostgreSQL gives rows without an order as they were last written, another order each time.
    """
    if not rows.ordered:
        rows = rows.order_by("pk")
    if rows.model is Response:
        found = list(rows.select_related("attempt", *RELATED))
        yield from _answers(found, hidden, _chosen_options(found))
    elif rows.model is Attempt:
        yield from _attempts(rows, hidden)
    elif rows.model is RegradedResponse:
        yield from _regraded(rows, hidden)
    else:
        has_course = any(field.name == COURSE for field in rows.model._meta.fields)
        yield from map(_row, rows.select_related(COURSE) if has_course else rows)


def _attempts(rows: QuerySet[Attempt], hidden: Collection[Hidden]) -> Iterable[Row]:
    """Yield attempts with their answers; what one earned is left out where its score is hidden."""
    answers = Prefetch("responses", Response.objects.select_related(*RELATED))
    found = list(rows.select_related("quiz").prefetch_related(answers))
    options = _chosen_options(answer for one in found for answer in one.responses.all())
    for one in found:
        row = _row(one) | {"responses": list(_answers(one.responses.all(), hidden, options))}
        if Hidden(one.quiz.course_id, "quiz", one.quiz.slug) in hidden:
            row["earned"] = None
        yield row


def _regraded(rows: QuerySet[RegradedResponse], hidden: Collection[Hidden]) -> Iterable[Row]:
    """Yield how answers counted before they were regraded and since; nothing that is hidden."""
    for one in rows.select_related("regrade__question__course"):
        question = one.regrade.question
        is_secret = Hidden(question.course_id, "question", question.slug) in hidden
        told = {
            "course": question.course.slug,
            "question": question.slug,
            "response": one.response_id,
            "at": _plain(one.regrade.at),
            "undone_at": _plain(one.undone_at),
            "was_dropped": one.was_dropped,
            "now_dropped": one.now_dropped,
        }
        for name in ("was_right", "was_score", "now_right", "now_score"):
            told[name] = None if is_secret else _plain(getattr(one, name))
        yield told | {"note": None if is_secret else _plain(one.regrade.note)}


def _chosen_options(responses: Iterable[Response]) -> Mapping[int, Option]:
    """Return the options of answers that chose several, by primary key. One query at most."""
    several = {pk for one in responses for pk in one.choices or ()}
    return Option.objects.in_bulk(several) if several else {}


def _answers(
    responses: Iterable[Response], hidden: Collection[Hidden], options: Mapping[int, Option]
) -> Iterable[Row]:
    """Yield answers as people can read them, with their questions; no mark that is hidden."""
    now = timezone.now()
    for one in responses:
        question = one.version.question
        is_open = one.attempt is not None and one.attempt.is_open(now)
        named = Hidden(question.course_id, "question", question.slug)
        is_secret = is_open or named in hidden
        asked = one.version.prompt if one.instance is None else one.instance.prompt
        yield {
            "course": one.version.question.course.slug,
            "question": one.version.question.slug,
            "version": one.version.number,
            "asked": asked,
            "answered": _in_words(one, options),
            "right": None if is_secret else one.is_right,
            "score": None if is_secret else _plain(one.score),
            "points": _plain(one.points),
            "dropped": one.is_dropped,
            "step": one.step,
            "answered_at": _plain(one.answered_at),
        }


def _in_words(response: Response, options: Mapping[int, Option]) -> str:
    """Return an answer as its learner gave it; several options are joined by "; "."""
    if response.choice is not None:
        return response.choice.text
    chosen = [options[pk].text for pk in response.choices or () if pk in options]
    return "; ".join(chosen) or response.text


def _row(row: Model) -> Row:
    """Return the columns of a row; a reference is only the number of its row, a course its name.

    For what a row names otherwise, by a slug, means nothing without it.
    A field that was renamed keeps the name of its column: exports of all years read alike. What is
    secret is left out of stored JSON too.
    """
    secret = SECRET | OF_STAFF.get(type(row), set())
    told = {}
    for field in row._meta.fields:
        value = field.value_from_object(row)
        if isinstance(value, dict):
            value = {key: one for key, one in value.items() if key not in SECRET}
        if field.name not in secret:
            told[field.db_column or field.name] = _plain(value)
    course = getattr(row, COURSE, None)
    return told | ({COURSE: course.slug} if course is not None and COURSE in told else {})


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)  # JSON has no such number
    return _storable(value)


def _storable(value: Any) -> Any:
    """Return text and stored JSON without unwritable characters: one row must not block others."""
    try:
        return storable(value)
    except RecursionError:
        return UNREADABLE
