"""The explorer: all encodings in a rail, one or two of them with their pictures and sliders.

The addresses are in `explorer_address.py`. Everything is a link or a form, so that the page works
without its script, which adds Shift-click and moves all pictures of a shared slider at once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from posenc.encoding import HOOKS
from posenc.query import all_parameters
from posenc.registry import REGISTRY, Entry

from quizzes.lessons.explorer_address import (
    ALL,
    BESIDE,
    CELL,
    CHANGES,
    SLOTS,
    Exploration,
    Slot,
    address_of,
    explore,
    views_of,
    with_slots,
)
from quizzes.lessons.figures.address import texts_of, thumbnails_address
from quizzes.lessons.figures.controls import CURSOR, LOG_SUFFIX, Control, controls, joined
from quizzes.lessons.figures.figure_context import FigureContext, picture_context
from quizzes.lessons.figures.figure_params import fields_to_keep
from quizzes.lessons.figures.live import own_thumbnail
from quizzes.lessons.own_numbers.entries import OwnNumbers, is_own, visible_numbers
from quizzes.limits.seconds import count_seconds
from quizzes.pages.families import Family

# What an encoding acts on first decides its family. Names and numbers are those of the shipped map.
FAMILIES = {
    "on_embeddings": Family("Add", 2),
    "on_queries_and_keys": Family("Rotate", 3),
    "on_scores": Family("Bias", 4),
    "on_values": Family("Bias", 4),
}
NO_FAMILY = Family("None", 1)
OWN_FAMILY = Family("Own numbers", 5)
LONG_TITLE = re.compile(r"^(\w{3,}) position(?:al)? \w+$")  # "Sinusoidal positional encoding"
FEW = 3  # shared sliders with their help beside them


@dataclass(frozen=True)
class Look:
    """A state worth a look: its query, and a sentence that says what to look at."""

    title: str
    query: str
    sentence: str


LOOKS = (
    Look(
        "RoPE and ALiBi: the score by distance",
        "enc=rope/scores&enc=alibi/slopes&a.distances=100",
        "RoPE's score goes down in waves. Each head of ALiBi takes off more at every step.",
    ),
    Look(
        "RoPE with its base set to 100",
        "enc=rope/scores&enc=rope/scores&b.base=100",
        "With the small base, the score of far tokens falls below zero.",
    ),
    Look(
        "45 000 positions in one picture",
        "enc=sinusoidal/full-period",
        "The first pairs turn within a row and look grey. The last one does not finish a turn.",
    ),
    Look(
        "Every encoding in the same attention",
        "enc=nope/compare",
        "Compare where the curves end: ALiBi takes off most, and two encodings take off nothing.",
    ),
)


GONE = "These numbers of a Run are gone: only your newest are kept, for at most an hour."
NOT_SHARED = "These numbers are no longer shared, or the address is incomplete."


def rail(exploration: Exploration) -> list[tuple[Family, list[dict[str, object]]]]:
    """Return every encoding of the catalogue by family, with its links; own numbers first."""
    shown = list(dict.fromkeys(slot.entry.slug for slot in exploration.slots))
    grouped: dict[Family, list[dict[str, object]]] = {
        family: [] for family in (OWN_FAMILY, *FAMILIES.values(), NO_FAMILY)
    }
    own = [slot.entry for slot in exploration.slots if is_own(slot.entry.slug)]
    for entry in (*REGISTRY.values(), *dict.fromkeys(own)):
        if not entry.views:
            continue
        grouped[family_of(entry)].append(
            {
                "slug": entry.slug,
                "name": short_name(entry),
                "is_own": is_own(entry.slug),
                "own_thumbnail": own_thumbnail(entry.slug) if is_own(entry.slug) else None,
                "address": address_of(views_of(entry)),
                "current": entry.slug in shown,
                "first": entry.slug == shown[0],
            }
        )
    return [(family, encodings) for family, encodings in grouped.items() if encodings]


def family_of(entry: Entry) -> Family:
    """Return the family of an encoding, by the first hook that it overrides."""
    if is_own(entry.slug):
        return OWN_FAMILY
    hooks = entry.encoding().hooks()
    return next((FAMILIES[hook] for hook in HOOKS if hook in hooks), NO_FAMILY)


def short_name(entry: Entry) -> str:
    """Return a title as a rail has room for it: its abbreviation, without "positional encoding".

    Names of own numbers stay as they are.
    """
    if is_own(entry.slug):
        return entry.title
    _, _, inside = entry.title.partition("(")
    return inside.removesuffix(")") or LONG_TITLE.sub(r"\1", entry.title)


def shared_controls(slots: Sequence[Slot]) -> dict[str, tuple[Control, tuple[Slot, ...]]]:
    """Return the control of each parameter that several pictures have at the same value."""
    owners: dict[str, list[tuple[Control, Slot]]] = {}
    for slot in slots:
        selection, errors = slot.params.selection, slot.params.errors
        every = (parameter.name for parameter in all_parameters(selection))
        names = tuple(name for name in every if name not in CELL)
        for control in controls(selection, names=names, prefix=ALL, errors=errors):
            owners.setdefault(control.name, []).append((control, slot))
    shared = {}
    for name, pairs in owners.items():
        common = joined([control for control, _ in pairs]) if len(pairs) > 1 else None
        if common:
            shared[name] = (common, tuple(slot for _, slot in pairs))
    return shared


def _second_name(exploration: Exploration) -> str:
    """Return the encoding that another one would take the place of; "" where there is room."""
    entries = list(dict.fromkeys(slot.entry for slot in exploration.slots))
    return short_name(entries[1]) if len(entries) > 1 else ""


def _is_chosen(request: HttpRequest) -> bool:
    """Return whether an address says what to show, and not as the first page says it.

    The address without parameters is redirected to that of the first page, which everybody shares.
    The pictures' names count too: six of forty views make more pages than are kept.
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
    numbers, query, gone = _own_numbers(request)
    exploration = explore(query)
    asked = request.META["QUERY_STRING"]
    if not (exploration.faulty or gone) and _pairs(asked) != _pairs(exploration.address):
        redirect = HttpResponseRedirect(f"{reverse('lessons:explore')}?{exploration.address}")
        redirect["Cache-Control"] = "no-store"
        return redirect
    shared = shared_controls(exploration.slots)
    look = next((look for look in LOOKS if _pairs(look.query) == _pairs(exploration.address)), None)
    context = {
        "encodings": list(_encodings(exploration, shared, request, numbers)),
        "problems": exploration.problems,
        "gone": gone,
        "rail": rail(exploration),
        "thumbnails": thumbnails_address(),
        "query": exploration.address,
        "replaced": _second_name(exploration),
        "shared": _bar(exploration, shared, request),
        "address": request.build_absolute_uri(
            f"{reverse('lessons:explore')}?{exploration.address}"
        ),
        "is_of_catalogue": not (numbers or gone),
        "is_pair": _is_pair(exploration),
        "has_two_scales": _has_two_scales(exploration),
        "looks": LOOKS,
        "look": look,
        "invited": len(exploration.entries) == 1
        and (look is not None or exploration.address == _first_address()),
    }
    status = 400 if exploration.faulty or gone else 200
    response = render(request, "lessons/explore.html", context, status=status)
    if numbers or gone:  # they may be gone the next time
        response["Cache-Control"] = "no-store"
        response["X-Robots-Tag"] = "noindex"
    return response


def _own_numbers(request: HttpRequest) -> tuple[dict[str, OwnNumbers], QueryDict, list[str]]:
    """Return the own numbers that an address names, the query with these alone, and its faults.

    Numbers that are gone, or somebody else's, are taken out of the query.
    """
    query, numbers, gone = request.GET.copy(), {}, []
    for key in ("enc", *CHANGES):
        names, left = query.getlist(key), []
        for at, name in enumerate(names):
            slug = name.partition("/")[0]
            if is_own(slug) and slug not in numbers:
                own = visible_numbers(request, slug)
                if own is None:
                    gone.append(NOT_SHARED if slug.startswith("shared-") else GONE)
                    continue
                numbers[slug] = own
            left.append(at)
        if len(left) < len(names) and key == "enc":
            query = with_slots(query, left)
        elif len(left) < len(names):
            query.setlist(key, [names[at] for at in left])
        if not left:
            query.pop(key, None)
    return numbers, query, list(dict.fromkeys(gone))


def _pairs(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True)


def _bar(
    exploration: Exploration,
    shared: dict[str, tuple[Control, tuple[Slot, ...]]],
    request: HttpRequest,
) -> dict[str, object] | None:
    """Return the form of the sliders that move several pictures.

    Of two encodings only the sliders that move both are open: all of them together would push the
    pictures off the screen.
    """
    apart = len(shared) > FEW  # lines of help below each would push the pictures down
    several = len(exploration.entries) > 1
    groups: dict[str, list[Control]] = {}
    for control, owners in shared.values():
        titles = {short_name(slot.entry) for slot in owners}
        heading = "" if not several else titles.pop() if len(titles) == 1 else "Both"
        groups.setdefault(heading, []).append(replace(control, hint="") if apart else control)
    if not shared:
        return None
    kept = [
        (key, text)
        for key, text in fields_to_keep(request.GET, [ALL])
        if key.partition(".")[2].removesuffix(LOG_SUFFIX) not in shared
    ]
    return {
        "common": groups.pop("Both" if several else "", []),
        "own": list(groups.items()),
        "kept": [*(("enc", slot.name) for slot in exploration.slots), *kept],
        "values": {name: control.text for name, (control, _) in shared.items()},
        "hints": [control for control, _ in shared.values() if control.hint and apart],
    }


def _encodings(
    exploration: Exploration,
    shared: dict[str, tuple[Control, tuple[Slot, ...]]],
    request: HttpRequest,
    numbers: Mapping[str, OwnNumbers],
) -> Iterator[dict[str, object]]:
    """Yield each encoding with its pictures, the links to its other views, and its facts."""
    entries = exploration.entries
    lifts = _lifts(exploration) if _is_pair(exploration) else {}
    for entry in entries:
        slots = [slot for slot in exploration.slots if slot.entry is entry]
        encoding = slots[0].params.selection.encoding
        names = {slot.name for slot in slots}
        every = set(views_of(entry, BESIDE if len(entries) > 1 else len(SLOTS)))
        views = [(entry.slug, "All views", names == every)]
        views += [
            (f"{entry.slug}/{view.slug}", view.title, names == {f"{entry.slug}/{view.slug}"})
            for view in entry.views.values()
        ]
        yield {
            "entry": entry,
            "own": numbers.get(entry.slug),
            "family": family_of(entry),
            "views": views if len(entry.views) > 1 else [],
            "view": next((title for _, title, current in views if current), "some"),
            "closes": len(entries) > 1,
            "figures": [
                _figure(slot, exploration, shared, request, lifts.get(slot.id, 0)) for slot in slots
            ],
            "hooks": [hook for hook in HOOKS if hook in encoding.hooks()],
            "learned": encoding.parameter_count(),
            "beyond": encoding.extrapolates,
            "cost": encoding.cost,
            "source": entry.source.removeprefix("arXiv:"),
        }


def _is_pair(exploration: Exploration) -> bool:
    """Return whether two encodings are shown, each by one picture."""
    return len(exploration.entries) == len(exploration.slots) == 2


def _has_two_scales(exploration: Exploration) -> bool:
    """Return whether two pictures invite a comparison: of two encodings, or one view twice."""
    return _is_pair(exploration) or (
        len(exploration.slots) == 2 and len({slot.name for slot in exploration.slots}) == 1
    )


def _lifts(exploration: Exploration) -> dict[str, int]:
    """Return by how much each picture is moved down, so that the plots are level.

    Never by nothing: a change of sliders may move the other one down.
    """
    tops = {
        slot.id: picture_context(slot.params.selection)["geometry"]["narrow"]["plot"][1]
        for slot in exploration.slots
    }
    return {name: 1 + round(max(tops.values()) - top) for name, top in tops.items()}


def _figure(
    slot: Slot,
    exploration: Exploration,
    shared: dict[str, tuple[Control, tuple[Slot, ...]]],
    request: HttpRequest,
    lift: int,
) -> str:
    """Return one picture, with the sliders that it does not share."""
    selection, slots = slot.params.selection, exploration.slots
    cursor = set(CURSOR) if set(CURSOR) <= set(selection.arguments) else set()
    hidden = cursor | set(shared)
    every = (parameter.name for parameter in all_parameters(selection))
    names = [name for name in every if name not in hidden]
    initial = texts_of(slot.params.initial)
    kept = [("enc", other.name) for other in slots]
    kept += [
        (f"{slot.id}.{name}", text)
        for name, text in texts_of(selection).items()
        if name in shared and text != initial[name]
    ]
    kept += fields_to_keep(request.GET, [slot.id])
    figure = FigureContext(
        slot.id,
        slot.params,
        tuple(names),
        tuple(kept),
        compact=len(slots) > 1,
        helped=True,
        later=slot is not slots[0] and not lift,
        lift=lift,
    )
    return figure.html()
