"""Numbers of a whole encoding, or of one of its pictures, named as in a figure block."""

from functools import lru_cache
from typing import Any

from posenc.errors import ParameterError
from posenc.query import Selection, read_query
from posenc.registry import REGISTRY, Entry
from posenc.views import ViewData

from quizzes.lessons.value_functions.bounds import within

__all__ = ["fact", "learned_numbers", "score_change"]


def fact(*, encoding: str, view: str, name: str, **settings: Any) -> float | int | str:
    """Return a number that a figure states when it is drawn with these settings."""
    summary = _selection(encoding, view, settings).compute().summary
    if name not in summary:
        raise ParameterError("name", name, f"must be one of {', '.join(summary) or '(none here)'}")
    return summary[name]


def learned_numbers(*, encoding: str, **settings: Any) -> int:
    """Return how many numbers an encoding of this size learns in one layer."""
    return _selection(encoding, "", settings).encoding.parameter_count()


def score_change(*, encoding: str, distance: int, equal: bool = True) -> float:
    """Return how much a score changes from distance 0, as in the figure comparing encodings."""
    reach = within("distance", distance, low=0, high=512)
    data = _compared(max(reach, 64))
    title = _entry(encoding).title
    row = f"{title}, query equals key" if equal else f"{title}, query and key unrelated"
    if row not in data.row_names:
        raise ParameterError("encoding", encoding, "is not in the figure that compares encodings")
    return float(data.values[data.row_names.index(row), distance])


@lru_cache(maxsize=4)
def _compared(distances: int) -> ViewData:
    """Return the figure that compares encodings, drawn once for all numbers of a page."""
    return _selection("nope", "compare", {"distances": distances}).compute()


def _entry(encoding: str) -> Entry:
    if encoding not in REGISTRY:
        known = ", ".join(sorted(REGISTRY))
        raise ParameterError("encoding", encoding, f"must be one of {known}")
    return REGISTRY[encoding]


def _selection(encoding: str, view: str, settings: dict[str, Any]) -> Selection:
    """Return what the settings select, within the limits of pages; "" is any view."""
    entry = _entry(encoding)
    name = view or next(iter(entry.views))
    if name not in entry.views:
        raise ParameterError("view", view, f"must be one of {', '.join(entry.views)}")
    texts = {key: _text(value) for key, value in settings.items()}
    return read_query(entry, entry.views[name], texts)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
