"""Numbers of a whole encoding, or of one of its pictures, named as in a figure block."""

from typing import Any

from posenc.errors import ParameterError
from posenc.query import Selection, read_query
from posenc.registry import REGISTRY

__all__ = ["fact", "learned_numbers"]


def fact(*, encoding: str, view: str, name: str, **settings: Any) -> float | int | str:
    """Return a number that a figure states when it is drawn with these settings."""
    summary = _selection(encoding, view, settings).compute().summary
    if name not in summary:
        raise ParameterError("name", name, f"must be one of {', '.join(summary) or '(none here)'}")
    return summary[name]


def learned_numbers(*, encoding: str, **settings: Any) -> int:
    """Return how many numbers an encoding of these sizes learns, in one layer."""
    return _selection(encoding, "", settings).encoding.parameter_count()


def _selection(encoding: str, view: str, settings: dict[str, Any]) -> Selection:
    """Return what the settings select, within the limits of pages; "" is any view."""
    if encoding not in REGISTRY:
        known = ", ".join(sorted(REGISTRY))
        raise ParameterError("encoding", encoding, f"must be one of {known}")
    entry = REGISTRY[encoding]
    name = view or next(iter(entry.views))
    if name not in entry.views:
        raise ParameterError("view", view, f"must be one of {', '.join(entry.views)}")
    texts = {key: _text(value) for key, value in settings.items()}
    return read_query(entry, entry.views[name], texts)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
