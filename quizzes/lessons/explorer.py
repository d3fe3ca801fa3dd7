"""What the explorer's address asks for: up to three pictures, each with all its parameters.

`/explore/?enc=rope/turns&enc=alibi/biases&a.head_dim=64&b.n_heads=4` shows two; a is the first. The
short form `?enc=rope&head_dim=64` means the first view of RoPE and is led to the long one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.http import QueryDict
from django.utils.http import urlencode
from posenc.errors import ParameterError
from posenc.query import Selection, all_parameters, read_query
from posenc.registry import REGISTRY, Entry

from quizzes.lessons.figures.address import MAX_TEXT, texts_of
from quizzes.lessons.figures.asked import Asked, asked_of, stray_errors

SLOTS = ("a", "b", "c")
FIRST = "sinusoidal/heatmap"  # of an address that asks for nothing
FIRST_PARAMETERS = {"a.d_model": "50"}
# The width of a vector has two names; a short address may use either.
SAME = {"d_model": "head_dim", "head_dim": "d_model"}


@dataclass(frozen=True, eq=False)
class Slot:
    """One picture of the page: `a`, `b` or `c`."""

    id: str
    asked: Asked

    @property
    def name(self) -> str:
        """Return what the address calls it: "rope/turns"."""
        chosen = self.asked.selection
        return f"{chosen.entry.slug}/{chosen.view.slug}"


@dataclass(frozen=True, eq=False)
class Exploration:
    """The pictures that are shown, and what in the address could not be used."""

    slots: tuple[Slot, ...]
    problems: tuple[str, ...]
    address: str  # the query that shows the same, in the one order that links have

    @property
    def faulty(self) -> bool:
        """Return whether anything in the address was wrong."""
        return bool(self.problems) or any(slot.asked.errors for slot in self.slots)


def explore(query: QueryDict) -> Exploration:
    """Return what an address asks for."""
    chosen, problems = _chosen([one for one in query.getlist("enc") if one])
    query = _without_replaced(query, chosen)
    nothing_asked = not chosen and not any("." in key for key in query)
    initials = dict(zip(SLOTS, (_initial(name) for name in chosen or [FIRST]), strict=False))
    query, more = _spelled_out(query, initials)
    for key, text in FIRST_PARAMETERS.items() if nothing_asked else ():
        query.setdefault(key, text)
    problems += [*more, *stray_errors(query, list(initials)).values()]
    slots = tuple(Slot(one, asked_of(initial, one, query)) for one, initial in initials.items())
    return Exploration(slots, tuple(problems), _address(slots, query))


def all_views() -> list[tuple[Entry, list[tuple[str, str]]]]:
    """Return every encoding with the names and titles of its views, to choose from."""
    return [
        (entry, [(f"{entry.slug}/{view.slug}", view.title) for view in entry.views.values()])
        for entry in REGISTRY.values()
        if entry.views
    ]


def _chosen(names: list[str]) -> tuple[list[str], list[str]]:
    """Return the pictures that there are, three at most, and what is wrong with the others."""
    chosen, problems = [], []
    for name in names:
        slug, _, view = name.partition("/")
        entry = REGISTRY.get(slug)
        if entry is None or not entry.views:
            expected = f"must be one of {', '.join(slug for slug, _ in _with_views())}"
            problems.append(str(ParameterError("enc", name[:MAX_TEXT], expected)))
        elif view and view not in entry.views:
            expected = f"{slug} can be drawn as {', '.join(entry.views)}"
            problems.append(str(ParameterError("enc", name[:MAX_TEXT], expected)))
        else:
            chosen.append(f"{slug}/{view or next(iter(entry.views))}")
    if len(chosen) > len(SLOTS):
        problems.append(
            f"enc: {len(chosen)} pictures are asked for, there is room for {len(SLOTS)}"
        )
    return chosen[: len(SLOTS)], problems


def _with_views() -> Iterator[tuple[str, Entry]]:
    return ((slug, entry) for slug, entry in REGISTRY.items() if entry.views)


def _initial(name: str) -> Selection:
    slug, _, view = name.partition("/")
    entry = REGISTRY[slug]
    return read_query(entry, entry.views[view], {})


def _without_replaced(query: QueryDict, chosen: list[str]) -> QueryDict:
    """Return the query without parameters of pictures that others have taken the place of.

    The form that chooses pictures says in `was` which ones it was made for.
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

    A name that only pictures not shown have is a fault; one that none has (utm_source) is ignored.
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
            expected = f"no picture here has it; there are {', '.join(sorted(known))}"
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
    """Return the canonical query: pictures in order, then what is no default, sorted."""
    pairs = [("enc", slot.name) for slot in slots]
    for slot in slots:
        initial = texts_of(slot.asked.initial)
        shown = texts_of(slot.asked.selection).items()
        pairs += sorted((f"{slot.id}.{k}", text) for k, text in shown if text != initial[k])
    others = [
        (key, value)
        for key, values in query.lists()
        for value in values
        if "." not in key and key not in {"enc", "was"} and not _is_known(key)
    ]
    return urlencode([*pairs, *sorted(others)]).replace("%2F", "/")
