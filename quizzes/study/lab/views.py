"""The lab's page: a program `f(n, d)`, what it returned, and its pictures.

A Run of the lab is a batch (`exercises/runs/samples.py`) of no exercise: calls with each n, or
each d, around the hand. Its page shows the panels as figures of its numbers, which have addresses
like any encoding's. Among these sizes, the hand moves a slider of the figures; beyond them, the
page's script posts the same program again.
"""

import json
from http import HTTPStatus
from typing import Any

from csp.constants import NONCE
from csp.decorators import csp_update
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.content_files.typed_text import read_whole_number
from quizzes.exercises.drafts import drafts_of, owner_mark
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.models import Submission
from quizzes.exercises.page_context import first_error, new_key, poll_count
from quizzes.exercises.queue.batch_pictures import MOST_OF_LAB
from quizzes.exercises.queue.long_poll import wait_for_verdict
from quizzes.exercises.queue.submission_limits import TooMany
from quizzes.exercises.runs.rows import wait_facts
from quizzes.exercises.runs.samples import (
    own_sample,
    places_of,
    sample_facts,
    sample_of,
    submit_sample,
)
from quizzes.exercises.views import answer_draft
from quizzes.learners.services import current_learner, kept_learner
from quizzes.lessons.own_numbers.table import Numbers, Tables
from quizzes.limits.limits import SUBMISSION_ROWS, rows_of
from quizzes.study.code_figures.withheld import withheld_views
from quizzes.study.lab.batches import places_around
from quizzes.study.lab.forms import FIRST_D, FIRST_N, HIGH, LOW, NameForm, SizeForm
from quizzes.study.lab.numbers import run_slug, tables_of
from quizzes.study.lab.panels import explorer_query, panels_of
from quizzes.study.lab.sharing import owner_address, shared_by, store_numbers, with_titles
from quizzes.study.lab.starts import SINUSOIDAL, STARTS, start_named

CALL = "f(n, d)"
WHOLE = ("offsets", "distances")  # what is shown to its end: the sliders of the page move enough
MOVED = {"n": "positions", "d": "d_model"}  # what the sliders of the page are in its figures
OURS = "Your code did not run. This was our fault, not yours. Run it again."
GONE = "These numbers were deleted because newer ones came. Run it again."
TENSOR = "f returned a PyTorch tensor; expected a NumPy array. Its numbers are drawn all the same."


@csp_update({"style-src": NONCE})  # for the editor's style element
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lab(request: HttpRequest) -> HttpResponse:
    """Show the lab with a draft or a program to begin with; POST runs a program."""
    if request.method == "POST":
        return _run(request)
    start = start_named(request.GET.get("start", ""))
    drafts = drafts_of(learner=current_learner(request), exercise=None)
    code = start.code if start else drafts[0].code if drafts else SINUSOIDAL.code
    return _page(
        request,
        CodeForm(initial={"code": code, "key": new_key()}),
        SizeForm(initial={"n": FIRST_N, "d": FIRST_D}),
        {"came_from": start.slug if start else "", "drafts": drafts},
    )


@csp_update({"style-src": NONCE})  # type: ignore[arg-type]  # its views have arguments, too
@never_cache
@require_safe
def lab_run(request: HttpRequest, number: int) -> HttpResponse:
    """Show its learner a Run of the lab: its pictures, why there are none, or that it waits.

    The page's script, which waits, takes the result alone.
    """
    row = own_sample(request, number, None)
    if request.headers.get("HX-Request"):
        return render(request, "study/lab/_result.html", _facts_of(request, row, NameForm()))
    return _show_run(request, row)


@require_POST
def lab_draft(request: HttpRequest) -> HttpResponse:
    """Save the draft of the lab, as that of an exercise is saved."""
    return answer_draft(request, None, starters=[start.code for start in STARTS])


@csp_update({"style-src": NONCE})  # type: ignore[arg-type]
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, number: int) -> HttpResponse:
    """Store the numbers of a Run of this learner's under a name, and show them at their link.

    A page that refuses a name stands here, and its forms without a script ask for its address with
    GET: the answer is the page of the Run.
    """
    row = own_sample(request, number, None)
    if request.method != "POST":
        query = request.META["QUERY_STRING"]
        page = reverse("study:lab_run", args=[number])
        return redirect(f"{page}?{query}" if query else page)
    if not request.user.is_authenticated:
        raise Http404("a visitor without an account shares nothing: nobody could revoke it")
    form = NameForm(request.POST)
    if not form.is_valid():
        return _show_run(request, row, name=form, status=HTTPStatus.BAD_REQUEST)
    shared, problem = store_numbers(row, _table_at(request, row), form.cleaned_data["name"])
    if shared is None:
        form.add_error("name", problem)
        return _show_run(request, row, name=form, status=HTTPStatus.CONFLICT)
    return redirect(owner_address(shared))


def _size_of(request: HttpRequest, tables: Tables, along: str) -> int:
    """Return where the hand stands: an address keeps it as a parameter of its figures."""
    text = request.GET.get(f"heatmap.{MOVED[along]}", "")
    size = read_whole_number(text, most=HIGH)
    return size if size is not None and size in tables.by_size else tables.hand


def _table_at(request: HttpRequest, row: Submission) -> Numbers | None:
    """Return the table of the size where the hand stands, the first one without such a size."""
    tables = tables_of(row)
    if tables is None:
        return None
    size = read_whole_number(request.POST.get("size", ""), most=HIGH)
    return tables.by_size.get(tables.hand if size is None else size, tables.first)


def _show_run(
    request: HttpRequest,
    row: Submission,
    *,
    name: NameForm | None = None,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Return the page of a Run. `name`: the form that was refused when the numbers were shared."""
    facts = _facts_of(request, row, name or NameForm())
    if "panels" in facts and facts["panels"].has_faults:
        status = HTTPStatus.BAD_REQUEST
    return _page(
        request,
        CodeForm(initial={"code": row.code, "key": new_key()}),
        SizeForm(initial={name: facts[name] for name in ("n", "d", "along")}),
        facts,
        status=status,
    )


def _facts_of(request: HttpRequest, row: Submission, name: NameForm) -> dict[str, Any]:
    """Return what the page of a Run says of it: what came of it, or how long it may wait."""
    place = places_of(row.run)[0]
    facts: dict[str, Any] = {
        "submission": row,
        "address": reverse("study:lab_run", args=[row.pk]),
        "came_from": str(row.pk),
        "n": place["n"],
        "d": place["d"],
        "along": (row.run.sample or {}).get("slider", "n"),
        "newest": MOST_OF_LAB,
    }
    if row.graded_at is None:
        return facts | wait_facts(row, polls=poll_count(request))
    return facts | {"is_over": True, "name_form": name} | _outcome(request, row)


def _run(request: HttpRequest) -> HttpResponse:
    form = CodeForm({**request.POST.dict(), "kind": "run", "call": ""})
    sizes = SizeForm(request.POST)
    if not (form.is_valid() and sizes.is_valid()):
        message = first_error(sizes if form.is_valid() else form)
        return _refused(request, form, sizes, message, HTTPStatus.BAD_REQUEST)
    code, places = form.cleaned_data["code"], places_around(**sizes.cleaned_data)
    along = sizes.cleaned_data["along"]
    shapes = [(int(place["n"]), int(place["d"])) for place in places]
    stored = json.dumps(sample_facts(along, places, shapes))
    rows = SUBMISSION_ROWS + rows_of(len(code.encode()) + len(stored))
    try:
        with kept_learner(request, rows=rows) as learner:
            row = submit_sample(
                learner=learner,
                code=code,
                call=CALL,
                slider=along,
                places=places,
                shapes=shapes,
                version=None,
                form_key=form.cleaned_data["key"],
            )
    except ValidationError as error:
        message = " ".join(error.messages)
        return _refused(request, form, sizes, message, HTTPStatus.BAD_REQUEST)
    except TooMany as error:
        response = _refused(request, form, sizes, str(error), HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    wait_for_verdict(submission=row)
    return redirect(f"{reverse('study:lab_run', args=[row.pk])}#result")


def _refused(
    request: HttpRequest, form: CodeForm, sizes: SizeForm, message: str, status: HTTPStatus
) -> HttpResponse:
    """Return the page with a message, or for its script the message alone."""
    if request.headers.get("HX-Request"):
        return HttpResponse(message, content_type="text/plain; charset=utf-8", status=status)
    return _page(request, form, sizes, {"refusal": message}, status=status)


def _page(
    request: HttpRequest,
    form: CodeForm,
    sizes: SizeForm,
    facts: dict[str, Any],
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    learner = current_learner(request)
    context = {
        "form": form,
        "sizes": [sizes["n"], sizes["d"]],
        "low": LOW,
        "high": HIGH,
        "is_lab": True,
        "starts": STARTS,
        "starter": SINUSOIDAL.code,
        "draft_owner": owner_mark(learner=learner, account=request.user.pk),
        "shared": list(with_titles(shared_by(learner))),
    }
    if "drafts" not in facts:
        context["drafts"] = drafts_of(learner=learner, exercise=None)
    return render(request, "study/lab/lab.html", context | facts, status=status)


def _outcome(request: HttpRequest, row: Submission) -> dict[str, Any]:
    """Return what a Run that has ended shows: figures of its numbers, and what to say of them."""
    sample = sample_of(row)
    if sample is None:
        is_gone = row.run.outcome is not None and row.run.picture is None
        return {"problem": GONE if is_gone else OURS}
    printed = {"output": sample.output, "is_cut": sample.is_cut}
    tables = tables_of(row)
    if tables is None:
        return printed | {"problem": sample.problem or sample.problems[0], "is_theirs": True}
    slug = run_slug(row)
    along = ("n", "d")[tables.along]
    size = _size_of(request, tables, along)
    return printed | {
        "note": TENSOR if sample.kind == "tensor" else "",
        "panels": panels_of(request, slug, but=(*MOVED.values(), *WHOLE)),
        "may_share": request.user.is_authenticated,
        "explorer": explorer_query(
            slug,
            tables.by_size[size].shape,
            withheld=withheld_views(current_learner(request)),
            moved={MOVED[along]: size} if len(tables.by_size) > 1 else None,
        ),
        "size": size,
        along: size,
        "batch": {
            **places_of(row.run)[0],
            "along": along,
            "moves": MOVED[along],
            "sizes": sorted(tables.by_size),
        },
    }
