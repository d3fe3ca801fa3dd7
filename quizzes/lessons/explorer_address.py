"""The explorer's addresses: up to six pictures of one or two encodings, and their parameters.

`/explore/?enc=rope/turns&enc=alibi/biases&a.head_dim=64&b.n_heads=4` shows two; a is the first. The
short form `?enc=rope&head_dim=64` means the first view of RoPE. Three more forms change what the
rest of an address shows: `with=alibi` puts ALiBi beside the first encoding, `show=alibi/slopes` has
this view alone stand for ALiBi, `show=alibi` its views, and `without=alibi` takes ALiBi away. All
are redirected to the long form.

In place of an encoding an address may name numbers of a reader's own (`own_numbers/`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.http import QueryDict
from django.utils.http import urlencode
from posenc.errors import ParameterError, QueryError
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY, Entry

from quizzes.lessons.figures.address import (
    MAX_TEXT,
    compute,
    find_any_view,
    find_entry,
    select,
    texts_of,
)
from quizzes.lessons.figures.controls import LOG_SUFFIX
from quizzes.lessons.figures.figure_params import FigureParams, requested_params, stray_errors
from quizzes.lessons.own_numbers.entries import is_own

SLOTS = ("a", "b", "c", "d", "e", "f")
BESIDE = 3  # pictures of each of two encodings
ALL = "all"  # begins a parameter of every picture that has it: "all.base"
CHANGES = ("with", "show", "without")
RESERVED = {"enc", *CHANGES}
FIRST = "sinusoidal/heatmap"  # of an address without parameters
FIRST_PARAMETERS = {"a.d_model": "50"}
# The width of a vector has two names; a short address may use either.
SAME = {"d_model": "head_dim", "head_dim": "d_model"}
CELL = frozenset({"position", "dimension", "row", "column"})  # where the reader looks, no setting


@dataclass(frozen=True, eq=False)
class Slot:
    """One picture of the page: `a` to `f`."""

    id: str
    params: FigureParams

    @property
    def name(self) -> str:
        """Return its name in the address: "rope/turns"."""
        chosen = self.params.selection
        return f"{chosen.entry.slug}/{chosen.view.slug}"

    @property
    def entry(self) -> Entry:
        """Return its encoding."""
        return self.params.selection.entry


@dataclass(frozen=True, eq=False)
class Exploration:
    """The pictures that are shown, and the faults of the address."""

    slots: tuple[Slot, ...]
    problems: tuple[str, ...]
    address: str  # the query that shows the same, in the one order that links have

    @property
    def entries(self) -> list[Entry]:
        """Return the encodings that are shown, in their order."""
        return list(dict.fromkeys(slot.entry for slot in self.slots))

    @property
    def faulty(self) -> bool:
        """Return whether the address had a fault."""
        return bool(self.problems) or any(slot.params.errors for slot in self.slots)


def explore(query: QueryDict) -> Exploration:
    """Return the request of an address."""
    chosen, problems = _chosen([name for name in query.getlist("enc") if name])
    nothing_asked = not chosen and not any("." in key for key in query)
    if not chosen:
        chosen = [FIRST]
    query, more = _spelled_out(query, _initials(chosen))
    for key, text in FIRST_PARAMETERS.items() if nothing_asked else ():
        query.setdefault(key, text)
    problems += more
    if not problems:
        query, chosen, problems = _changed(query, chosen)
    initials = _initials(chosen)
    problems += stray_errors(query, list(initials)).values()
    slots = tuple(
        Slot(letter, requested_params(initial, letter, query))
        for letter, initial in initials.items()
    )
    return Exploration(slots, tuple(problems), _address(slots, query))


def with_slots(query: QueryDict, left: list[int]) -> QueryDict:
    """Return a query with some of its pictures, by their numbers, and the parameters of these."""
    letters = {SLOTS[old]: SLOTS[new] for new, old in enumerate(left) if old < len(SLOTS)}
    new = QueryDict(mutable=True)
    for key, values in query.lists():
        letter, dot, name = key.partition(".")
        if not dot or letter not in SLOTS:
            new.setlist(key, values)
        elif letter in letters:
            new.setlist(f"{letters[letter]}.{name}", values)
    names = query.getlist("enc")
    new.setlist("enc", [names[at] for at in left])
    return new


def views_of(entry: Entry, most: int = len(SLOTS)) -> list[str]:
    """Return the names of an encoding's first views: "rope/scores", "rope/turns"."""
    return [f"{entry.slug}/{view}" for view in entry.views][:most]


def address_of(names: list[str]) -> str:
    """Return the canonical query of pictures as the engine has them."""
    return urlencode([("enc", name) for name in names]).replace("%2F", "/")


def _chosen(names: list[str]) -> tuple[list[str], list[str]]:
    """Return the valid pictures, as many as there is room for, and the faults of the others."""
    chosen, problems = [], []
    for name in names:
        slug, _, view = name.partition("/")
        entry = find_entry(slug)
        if entry is None or not entry.views:
            expected = f"must be one of {', '.join(_with_views())}"
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


def _with_views() -> Iterator[str]:
    return (slug for slug, entry in REGISTRY.items() if entry.views)


def _initials(names: list[str]) -> dict[str, Selection]:
    return dict(zip(SLOTS, map(_initial, names), strict=False))


def _initial(name: str) -> Selection:
    return read_query(*find_any_view(*name.split("/")), {})


def _changed(query: QueryDict, chosen: list[str]) -> tuple[QueryDict, list[str], list[str]]:
    """Return the query and its pictures after `with`, `show` and `without`, and their faults."""
    changes = [(key, str(query[key])) for key in CHANGES if key in query]
    names, problems = chosen, []
    for key, name in changes:
        slug, _, view = name.partition("/")
        entry = find_entry(slug)
        if entry is None or view not in ("", *entry.views) or (view and key != "show"):
            expected = f"must be one of {', '.join(_with_views())}"
            problems.append(str(ParameterError(key, name[:MAX_TEXT], expected)))
            continue
        names = _names_after(key, entry, view, names)
    if not changes or problems:
        return query, chosen, problems
    before = [
        requested_params(initial, letter, query).selection
        for letter, initial in _initials(chosen).items()
    ]
    new = QueryDict(mutable=True)
    for key, values in query.lists():
        if "." not in key and key not in CHANGES:
            new.setlist(key, values)
    for letter, name in zip(SLOTS, names, strict=False):
        for own, text in _carried(name, before).items():
            new[f"{letter}.{own}"] = text
    return new, names, []


def _names_after(key: str, entry: Entry, view: str, names: list[str]) -> list[str]:
    """Return the pictures after one change."""
    first = names[0].partition("/")[0]
    others = [name for name in names if not name.startswith(f"{entry.slug}/")]
    if key == "without":
        return others or names
    if key == "with":
        if entry.slug == first:
            return names
        kept = [name for name in names if name.startswith(f"{first}/")]
        if is_own(first):
            return _side_by_side(kept, entry)
        count = min(BESIDE, len(kept), len(entry.views))  # as many of both, side by side
        return [*kept[:count], *_views_like(kept[:count], entry)]
    room = min(BESIDE, len(SLOTS) - len(others)) if others else len(SLOTS)
    own = [f"{entry.slug}/{view}"] if view else views_of(entry, max(1, room))
    others = others[: len(SLOTS) - len(own)]
    return [*own, *others] if entry.slug == first else [*others, *own]


def _views_like(names: list[str], entry: Entry) -> list[str]:
    """Return a view of an encoding for each picture: one with the same axes where there is one."""
    left = list(entry.views.values())
    chosen = []
    for name in names:
        view = find_any_view(*name.split("/"))[1]
        axes = (view.kind, view.along_x)
        like = next((other for other in left if (other.kind, other.along_x) == axes), left[0])
        left.remove(like)
        chosen.append(f"{entry.slug}/{like.slug}")
    return chosen


def _side_by_side(kept: list[str], entry: Entry) -> list[str]:
    """Return pictures of own numbers that an encoding can be compared with, and those of it.

    Each has a partner of its kind, of the same name if there is one. Where none that is shown has
    one, another view of the numbers may: RoPE has no heat map, but the score by distance.
    """
    slug = kept[0].partition("/")[0]
    own = find_entry(slug)
    assert own is not None  # its pictures are shown
    shown = [name.partition("/")[2] for name in kept[:BESIDE]]
    pairs = _partners(own, shown, entry) or _partners(own, list(own.views), entry)[:1]
    if not pairs:
        return [kept[0], *views_of(entry, 1)]
    return [f"{slug}/{mine}" for mine, _ in pairs] + [f"{entry.slug}/{view}" for _, view in pairs]


def _partners(own: Entry, names: list[str], entry: Entry) -> list[tuple[str, str]]:
    """Return each view of own numbers with one of an encoding that is of its kind.

    Of its first views, which say what it does; a later one may show something else, as a batch.
    """
    first = list(entry.views.values())[:BESIDE]
    pairs: list[tuple[str, str]] = []
    for name in names:
        taken = {view for _, view in pairs}
        kind = own.views[name].kind
        alike = [view.slug for view in first if view.kind == kind and view.slug not in taken]
        if alike:
            pairs.append((name, name if name in alike else alike[0]))
    return pairs


def _carried(name: str, before: list[Selection]) -> dict[str, str]:
    """Return the parameters of a picture that it takes from those shown before.

    The same picture keeps all of its own, another view of the same encoding those of the encoding.
    A picture of another encoding takes those whose names agree, if it can have their values:
    of a view only from a view of the same kind, since 45 000 rows are no number of circles.
    """
    initial = _initial(name)
    view, entry = initial.view, initial.entry
    for old in before:
        if (old.entry, old.view) == (entry, view):
            return texts_of(old)
    own = {parameter.name for parameter in entry.parameters}
    known = {parameter.name for parameter in all_parameters(initial)} - CELL
    carried: dict[str, str] = {}
    for old in sorted(before, key=lambda old: old.entry is not entry):
        for key, text in texts_of(old).items():
            alike = old.entry is not entry and old.view.kind == view.kind
            if key in carried or key not in known or not (key in own or alike):
                continue
            if _with(initial, {**carried, key: text}):
                carried[key] = text
    try:
        compute(_with(initial, carried) or initial)
    except QueryError:  # each value is right, but together they are too many cells
        return {}
    return carried


def _with(initial: Selection, texts: Mapping[str, str]) -> Selection | None:
    """Return a picture with other parameters, None if it cannot have them."""
    try:
        return select(initial.entry, initial.view, {**texts_of(initial), **texts})
    except QueryError:
        return None


def _spelled_out(query: QueryDict, initials: dict[str, Selection]) -> tuple[QueryDict, list[str]]:
    """Return the query with `head_dim=64` as `a.head_dim=64` for every picture that has it.

    A name that only hidden pictures have is a fault; a name that no picture has (utm_source) is
    ignored. `all.head_dim=64` is what a slider of several pictures sends: it replaces their own.
    """
    long, problems = query.copy(), []
    for key in query:
        prefix, dot, name = key.partition(".")
        if key in RESERVED or (dot and prefix != ALL):
            continue
        name = name if dot else key
        plain, fitting, text = name.removesuffix(LOG_SUFFIX), False, str(query[key])
        for letter, initial in initials.items():
            known = {parameter.name for parameter in all_parameters(initial)}
            own = plain if dot or plain in known else SAME.get(plain, "")
            if own not in known:
                continue
            fitting = True
            if dot:
                long.pop(f"{letter}.{own}", None)
                long[f"{letter}.{name}"] = text
            else:
                long.setdefault(f"{letter}.{own}", text)
        if fitting:
            del long[key]
        elif not dot and _is_known(name):
            known = {p.name for initial in initials.values() for p in all_parameters(initial)}
            expected = f"no picture here has this; they have {', '.join(sorted(known))}"
            problems.append(str(ParameterError(name, text[:MAX_TEXT], expected)))
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
        if "." not in key and key not in RESERVED and not _is_known(key)
    ]
    return urlencode([*pairs, *sorted(others)]).replace("%2F", "/")
