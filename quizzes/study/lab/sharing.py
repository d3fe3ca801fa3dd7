"""Numbers at a link: shared under a name, shown to all who have the link, revoked by their owner.

The code is not stored with them. What is stored is bounded, and it is only ever drawn. Tables are
finite; numbers of an exercise's figure may have NaN and infinities. While open work of a class
withholds a view from the reader, no page of numbers leads to it.
"""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from posenc.query import Selection

from quizzes.content_files.typed_text import isolate
from quizzes.exercises.models import SharedNumbers, Submission
from quizzes.exercises.models.shared_numbers import MOST_BYTES
from quizzes.learners.models import Learner
from quizzes.learners.services import current_learner, hold_learner
from quizzes.lessons.own_numbers.table import Numbers, usable
from quizzes.study.code_figures.withheld import withheld_views
from quizzes.study.lab.numbers import read_shared, shared_selection, shared_slug, sizes_of_figure
from quizzes.study.lab.panels import explorer_query, figure_query, panels_of

MOST_SHARED = 20  # of one learner: 20 MB at most
NOT_SHARED = "Only numbers that are all finite, and at most 1e100 in size, can be shared."
NO_NUMBERS = "These numbers are gone: only those of your newest Runs are kept. Run it again."
TOO_MANY = (
    f"You share {MOST_SHARED} sets of numbers, the most there may be. Stop sharing one first."
)


def shared_by(learner: Learner | None) -> list[SharedNumbers]:
    """Return what a learner shares, newest first, without the numbers. One query at most."""
    if learner is None or learner.only_course is not None:
        return []
    return list(SharedNumbers.objects.filter(learner=learner).defer("numbers"))


def title_of(selection: Selection | None) -> str:
    """Return the name of the figure whose frame shared numbers have; "" for a table's."""
    return f"{selection.entry.title}: {selection.view.title}" if selection is not None else ""


def with_titles(rows: Iterable[SharedNumbers]) -> Iterator[tuple[SharedNumbers, str]]:
    """Yield shared numbers, each with the name of its figure, "" for a table."""
    for row in rows:
        try:
            yield row, title_of(shared_selection(row))
        except ValueError:
            yield row, "a figure that is gone"


def owner_address(row: SharedNumbers) -> str:
    """Return the address of shared numbers at what their owner can do with them."""
    return f"{reverse('study:shared_numbers', args=[row.token])}#yours"


@never_cache
@require_safe
def shared_numbers(request: HttpRequest, token: str) -> HttpResponse:
    """Show shared numbers to everybody with the link; 404 with a sentence where there are none."""
    row = SharedNumbers.objects.filter(token=token).first()
    try:
        selection = shared_selection(row) if row is not None else None
    except ValueError:
        row = None  # of a view that the engine no longer has
    if row is None or read_shared(row) is None:
        return render(request, "study/lab/gone.html", status=HTTPStatus.NOT_FOUND)
    slug = shared_slug(row)
    panels = panels_of(request, slug)
    learner = current_learner(request)
    withheld = withheld_views(learner)
    view, title, is_withheld = "heatmap", "", False
    if selection is None:
        explorer = explorer_query(slug, (row.n, row.d), withheld=withheld)
    else:
        explorer, view = figure_query(slug, selection, withheld=withheld), selection.view.slug
        title = title_of(selection)
        is_withheld = (selection.entry.slug, view) in withheld
    context: dict[str, Any] = {
        "row": row,
        "panels": panels,
        "figure_title": title,
        "is_withheld": is_withheld,
        "sizes": sizes_of_figure(row.figure),
        "explorer": explorer,
        "is_own": learner is not None and learner.pk == row.learner_id,
        "link": request.build_absolute_uri(request.path),
        "csv": reverse("lessons:figure", args=[slug, view, "csv"]),
    }
    status = HTTPStatus.BAD_REQUEST if panels.has_faults else HTTPStatus.OK
    response = render(request, "study/lab/shared.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


@never_cache
@require_POST
def revoke(request: HttpRequest, token: str) -> HttpResponse:
    """Delete shared numbers of this learner's: their link leads to nothing from now on."""
    row = SharedNumbers.objects.filter(token=token).defer("numbers").first()
    if row is None:
        return render(request, "study/lab/gone.html", status=HTTPStatus.NOT_FOUND)
    learner = current_learner(request)
    if learner is None or learner.pk != row.learner_id:
        raise Http404("only the owner of shared numbers can stop sharing them")
    row.delete()
    messages.success(
        request, f"“{isolate(row.name)}” is no longer shared: its link shows nothing now."
    )
    return redirect("study:lab")


def store_numbers(
    row: Submission,
    numbers: Numbers | None,
    name: str,
    *,
    figure: dict[str, Any] | None = None,
) -> tuple[SharedNumbers | None, str]:
    """Store numbers of a Run at a link of their own, or return why they are not stored.

    Shared again under the same name, as by a second press of the button, they keep their link.
    `figure`: the picture whose frame they have, None for a table.
    """
    if numbers is None or row.graded_at is None:
        return None, NO_NUMBERS
    if (figure is None and not usable(numbers)) or numbers.nbytes > MOST_BYTES:
        return None, NOT_SHARED
    with transaction.atomic():
        hold_learner(pk=row.learner_id)  # two tabs, one after the other
        n, d = numbers.shape
        stored = numbers.astype("<f8").tobytes()
        mine = SharedNumbers.objects.filter(learner=row.learner)
        facts = {"name": name, "n": n, "d": d, "made_at": row.graded_at}
        for same in mine.filter(**facts):
            if bytes(same.numbers) == stored and same.figure == figure:
                return same, ""
        if mine.count() >= MOST_SHARED:
            return None, TOO_MANY
        facts |= {"numbers": stored, "figure": figure}
        return SharedNumbers.objects.create(learner=row.learner, **facts), ""
