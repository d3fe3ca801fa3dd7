"""The explorer: one to three pictures of any encodings, with all their parameters as sliders.

`/explore/?enc=rope/turns&enc=alibi/biases&a.head_dim=64&b.n_heads=4` shows two; a is the first. The
short form `?enc=rope&head_dim=64` means the first view of RoPE and is redirected to the long form.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qsl

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from posenc.encoding import HOOKS
from posenc.errors import ParameterError
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY, Entry

from quizzes.lessons.figures.address import MAX_TEXT, texts_of
from quizzes.lessons.figures.controls import CURSOR
from quizzes.lessons.figures.figure_context import FigureContext
from quizzes.lessons.figures.figure_params import (
    FigureParams,
    fields_to_keep,
    requested_params,
    stray_errors,
)
from quizzes.limits.seconds import count_seconds

SLOTS = ("a", "b", "c")
FIRST = "sinusoidal/heatmap"  # of an address without parameters
FIRST_PARAMETERS = {"a.d_model": "50"}
# The width of a vector has two names; a short address may use either.
SAME = {"d_model": "head_dim", "head_dim": "d_model"}


@dataclass(frozen=True, eq=False)
class Slot:
    """One picture of the page: `a`, `b` or `c`."""

    id: str
    params: FigureParams

    @property
    def name(self) -> str:
        """Return its name in the address: "rope/turns"."""
        chosen = self.params.selection
        return f"{chosen.entry.slug}/{chosen.view.slug}"


@dataclass(frozen=True, eq=False)
class Exploration:
    """The pictures that are shown, and the faults of the address."""

    slots: tuple[Slot, ...]
    problems: tuple[str, ...]
    address: str  # the query that shows the same, in the one order that links have

    @property
    def faulty(self) -> bool:
        """Return whether the address had a fault."""
        return bool(self.problems) or any(slot.params.errors for slot in self.slots)


def explore(query: QueryDict) -> Exploration:
    """Return the request of an address."""
    chosen, problems = _chosen([one for one in query.getlist("enc") if one])
    query = _without_replaced(query, chosen)
    nothing_asked = not chosen and not any("." in key for key in query)
    initials = dict(zip(SLOTS, (_initial(name) for name in chosen or [FIRST]), strict=False))
    query, more = _spelled_out(query, initials)
    for key, text in FIRST_PARAMETERS.items() if nothing_asked else ():
        query.setdefault(key, text)
    problems += [*more, *stray_errors(query, list(initials)).values()]
    slots = tuple(
        Slot(one, requested_params(initial, one, query)) for one, initial in initials.items()
    )
    return Exploration(slots, tuple(problems), _address(slots, query))


def all_views() -> list[tuple[Entry, list[tuple[str, str]]]]:
    """Return every encoding with the names and titles of its views, to choose from."""
    return [
        (entry, [(f"{entry.slug}/{view.slug}", view.title) for view in entry.views.values()])
        for entry in REGISTRY.values()
        if entry.views
    ]


def _chosen(names: list[str]) -> tuple[list[str], list[str]]:
    """Return the valid pictures, three at most, and the faults of the others."""
    chosen, problems = [], []
    for name in names:
        slug, _, view = name.partition("/")
        entry = REGISTRY.get(slug)
        if entry is None or not entry.views:
            expected = f"must be one of {', '.join(slug for slug, _ in _with_views())}"
            problems.append(str(ParameterError("enc", name[:MAX_TEXT], expected)))
        elif view and view not in entry.views:
            expected = f"{slug} can be drawn only as {', '.join(entry.views)}"
            problems.append(str(ParameterError("enc", name[:MAX_TEXT], expected)))
        else:
            chosen.append(f"{slug}/{view or next(iter(entry.views))}")
    if len(chosen) > len(SLOTS):
        problems.append(
            f"enc: names {len(chosen)} pictures, but there is room for only {len(SLOTS)}"
        )
    return chosen[: len(SLOTS)], problems


def _with_views() -> Iterator[tuple[str, Entry]]:
    return ((slug, entry) for slug, entry in REGISTRY.items() if entry.views)


def _initial(name: str) -> Selection:
    slug, _, view = name.partition("/")
    entry = REGISTRY[slug]
    return read_query(entry, entry.views[view], {})


def _without_replaced(query: QueryDict, chosen: list[str]) -> QueryDict:
    """Return the query without parameters of pictures that were replaced.

    The form that chooses pictures names in `was` the pictures that it was made for.
    """
    if "was" not in query:
        return query
    was, kept = query.getlist("was"), query.copy()
    gone = [
        one
        for place, one in enumerate(SLOTS)
        if was[place : place + 1] != chosen[place : place + 1]
    ]
    for key in list(kept):
        if key == "was" or key.startswith(tuple(f"{one}." for one in gone)):
            del kept[key]
    return kept


def _spelled_out(query: QueryDict, initials: dict[str, Selection]) -> tuple[QueryDict, list[str]]:
    """Return the query with `head_dim=64` as `a.head_dim=64` for every picture that has it.

    A name that only hidden pictures have is a fault; a name that no picture has (utm_source) is
    ignored.
    """
    long, problems = query.copy(), []
    for name in [key for key in query if "." not in key and key not in {"enc", "was"}]:
        fitting = False
        for one, initial in initials.items():
            known = {parameter.name for parameter in all_parameters(initial)}
            own = name if name in known else SAME.get(name)
            if own in known:
                long.setdefault(f"{one}.{own}", str(query[name]))
                fitting = True
        if fitting:
            del long[name]
        elif _is_known(name):
            known = {p.name for initial in initials.values() for p in all_parameters(initial)}
            expected = f"no picture here has this; they have {', '.join(sorted(known))}"
            problems.append(str(ParameterError(name, query[name][:MAX_TEXT], expected)))
    return long, problems


def _is_known(name: str) -> bool:
    return any(
        name == parameter.name
        for entry in REGISTRY.values()
        for view in (None, *entry.views.values())
        for parameter in (view.parameters if view else entry.parameters)
    )


def _address(slots: tuple[Slot, ...], query: QueryDict) -> str:
    """Return the canonical query: pictures in order, then all parameters but defaults, sorted."""
    pairs = [("enc", slot.name) for slot in slots]
    for slot in slots:
        initial = texts_of(slot.params.initial)
        shown = texts_of(slot.params.selection).items()
        pairs += sorted((f"{slot.id}.{k}", text) for k, text in shown if text != initial[k])
    others = [
        (key, value)
        for key, values in query.lists()
        for value in values
        if "." not in key and key not in {"enc", "was"} and not _is_known(key)
    ]
    return urlencode([*pairs, *sorted(others)]).replace("%2F", "/")


# What is worth a first look: a title, and pictures side by side.
TOURS = (
    ("Every encoding, through the same attention", ("nope/compare",)),
    ("Three ways to fade with distance", ("rope/scores", "alibi/slopes", "kerple/bias")),
    ("Rotate or penalise?", ("rope/turns", "alibi/biases")),
    ("Two relative-position tables", ("shaw/lookup", "t5_bias/buckets")),
    ("45 000 positions", ("sinusoidal/full-period", "sinusoidal/behind-a-row")),
)


def _is_chosen(request: HttpRequest) -> bool:
    """Return whether an address says what to show, and not as the first page says it.

    The address without parameters is redirected to that of the first page, which everybody shares.
    The pictures' names count too: three of a hundred views make more pages than are kept.
    """
    pairs = _pairs(request.META["QUERY_STRING"])
    return bool(pairs) and pairs != _pairs(_first_address())


@cache
def _first_address() -> str:
    return explore(QueryDict()).address


@require_safe
@count_seconds(when=_is_chosen)
def explorer(request: HttpRequest) -> HttpResponse:
    """Show the pictures of an address under its canonical form; answer 400 naming faults."""
    exploration = explore(request.GET)
    asked = request.META["QUERY_STRING"]
    if not exploration.faulty and _pairs(asked) != _pairs(exploration.address):
        redirect = HttpResponseRedirect(f"{reverse('lessons:explore')}?{exploration.address}")
        redirect["Cache-Control"] = "no-store"
        return redirect
    context = {
        "slots": [_shown(slot, exploration, request) for slot in exploration.slots],
        "problems": exploration.problems,
        "views": all_views(),
        "chosen": _choices(exploration),
        "kept": fields_to_keep(request.GET, []) if not exploration.faulty else [],
        "address": request.build_absolute_uri(
            f"{reverse('lessons:explore')}?{exploration.address}"
        ),
        "tours": [(title, "&".join(f"enc={one}" for one in names)) for title, names in TOURS],
    }
    return render(
        request, "lessons/explore.html", context, status=400 if exploration.faulty else 200
    )


def _pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True)


def _choices(exploration: Exploration) -> list[tuple[str, str, str]]:
    """Return the id, the label and the chosen picture of each menu."""
    names = [slot.name for slot in exploration.slots]
    labels = ("Picture", "Compare with", "and with")
    padded = [*names, *[""] * (len(SLOTS) - len(names))]
    return list(zip(SLOTS, labels, padded, strict=True))


def _shown(slot: Slot, exploration: Exploration, request: HttpRequest) -> dict[str, object]:
    """Return one picture with the facts about its encoding."""
    selection, several = slot.params.selection, len(exploration.slots) > 1
    cursor = set(CURSOR) if set(CURSOR) <= set(selection.arguments) else set()
    names = [one.name for one in all_parameters(selection) if one.name not in cursor]
    kept = [("enc", one.name) for one in exploration.slots]
    kept += fields_to_keep(request.GET, [slot.id])
    figure = FigureContext(
        slot.id, slot.params, tuple(names), tuple(kept), compact=several, helped=True
    )
    encoding, entry = selection.encoding, selection.entry
    return {
        "id": slot.id,
        "name": slot.name,
        "entry": entry,
        "view": selection.view,
        "figure": figure.html(),
        "hooks": [hook for hook in HOOKS if hook in encoding.hooks()],
        "learned": encoding.parameter_count(),
        "beyond": encoding.extrapolates,
        "cost": encoding.cost,
        "source": entry.source.removeprefix("arXiv:"),
    }
