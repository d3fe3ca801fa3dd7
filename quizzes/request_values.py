"""What rooms note about a request while it is answered.

Each room declares its own values, with their types. All stand in one attribute of the request, and
templates read them by name: `request.state.role`.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from django.http import HttpRequest

T = TypeVar("T")


class StatefulRequest(HttpRequest):
    """A request about which something was noted: the values by their names."""

    state: dict[str, Any]


class RequestValue(Generic[T]):
    """A value of a request. No two have the same name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_set(self, request: HttpRequest) -> bool:
        """Say whether it was noted, be it None."""
        return self.name in _state(request)

    def get(self, request: HttpRequest) -> T | None:
        """Return the value, None where none was noted."""
        value: T | None = _state(request).get(self.name)
        return value

    def of(self, request: HttpRequest) -> T:
        """Return the value; raises KeyError where none was noted."""
        value: T = _state(request)[self.name]
        return value

    def set(self, request: HttpRequest, value: T) -> T:
        """Note the value and return it."""
        _state(request)[self.name] = value
        return value

    def get_or_set(self, request: HttpRequest, compute: Callable[[], T]) -> T:
        """Return the value, computed the first time that it is needed."""
        return self.of(request) if self.is_set(request) else self.set(request, compute())

    def clear(self, request: HttpRequest) -> None:
        """Forget the value."""
        _state(request).pop(self.name, None)


def _state(request: HttpRequest) -> dict[str, Any]:
    stateful = cast(StatefulRequest, request)
    if not hasattr(stateful, "state"):
        stateful.state = {}
    return stateful.state
