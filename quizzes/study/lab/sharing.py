"""Numbers at a link: shared under a name, shown to whoever has the link, revoked by their owner.

The code is not stored with them. What is stored is finite and bounded, and it is only ever drawn.
"""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.exercises.models import SharedNumbers, Submission
from quizzes.exercises.models.shared_numbers import MOST_BYTES
from quizzes.learners.models import Learner
from quizzes.learners.services import current_learner, hold_learner
from quizzes.lessons.own_numbers.table import usable
from quizzes.study.lab.numbers import read_shared, shared_slug, table_of
from quizzes.study.lab.panels import explorer_query, panels_of

MOST_SHARED = 20  # of one learner: 10 MB at most
NOT_SHARED = "Only numbers that are all finite, and at most 1e100 in size, can be shared."
NO_NUMBERS = "The numbers of this Run are gone: they are kept for an hour. Run it again."
TOO_MANY = f"You share {MOST_SHARED} tables, the most there may be. Stop sharing one first."


def shared_by(learner: Learner | None) -> list[SharedNumbers]:
    """Return what a learner shares, newest first, without the numbers. One query at most."""
    if learner is None or learner.only_course is not None:
        return []
    return list(SharedNumbers.objects.filter(learner=learner).defer("numbers"))


@never_cache
@require_safe
def shared_numbers(request: HttpRequest, token: str) -> HttpResponse:
    """Show shared numbers to everybody with the link; 404 with a sentence where there are none."""
    row = SharedNumbers.objects.filter(token=token).first()
    if row is None or read_shared(row) is None:
        return render(request, "study/lab/gone.html", status=HTTPStatus.NOT_FOUND)
    slug = shared_slug(row)
    panels = panels_of(request, slug)
    learner = current_learner(request)
    context: dict[str, Any] = {
        "row": row,
        "panels": panels,
        "explorer": explorer_query(slug, (row.n, row.d)),
        "is_own": learner is not None and learner.pk == row.learner_id,
        "link": request.build_absolute_uri(request.path),
        "csv": reverse("lessons:figure", args=[slug, "heatmap", "csv"]),
    }
    status = HTTPStatus.BAD_REQUEST if panels.has_faults else HTTPStatus.OK
    return render(request, "study/lab/shared.html", context, status=status)


@never_cache
@require_POST
def revoke(request: HttpRequest, token: str) -> HttpResponse:
    """Delete shared numbers of this learner's: their link leads to nothing from now on."""
    learner = current_learner(request)
    rows = SharedNumbers.objects.filter(token=token, learner=learner) if learner else None
    row = rows.first() if rows is not None else None
    if row is None:
        return render(request, "study/lab/gone.html", status=HTTPStatus.NOT_FOUND)
    row.delete()
    messages.success(request, f"“{row.name}” is no longer shared: its link shows nothing now.")
    return redirect("study:lab")


def store_numbers(row: Submission, name: str) -> tuple[SharedNumbers | None, str]:
    """Store the numbers of a Run at a link of their own, or return why they are not stored."""
    table = table_of(row)
    if table is None or row.graded_at is None:
        return None, NO_NUMBERS
    if not usable(table) or table.nbytes > MOST_BYTES:
        return None, NOT_SHARED
    with transaction.atomic():
        hold_learner(pk=row.learner_id)  # two tabs, one after the other
        if SharedNumbers.objects.filter(learner=row.learner).count() >= MOST_SHARED:
            return None, TOO_MANY
        n, d = table.shape
        numbers = table.astype("<f8").tobytes()
        facts = {"name": name, "n": n, "d": d, "numbers": numbers, "made_at": row.graded_at}
        return SharedNumbers.objects.create(learner=row.learner, **facts), ""
