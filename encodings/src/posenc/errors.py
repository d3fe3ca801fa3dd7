"""The errors of posenc.

PosencError                  everything this package raises on purpose
+-- ParameterError           an argument that cannot be used; also a ValueError
|   +-- BeyondTableError     a position that a table has no row for; also an IndexError
+-- QueryError               several errors at once, one for each argument of a query
+-- RegistrationError        a mistake in a catalogue file, found when it is imported
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class PosencError(Exception):
    """Base of every error this package raises on purpose."""


class ParameterError(PosencError, ValueError):
    """An argument that cannot be used: `argument`, its `value`, what was `expected`."""

    def __init__(self, argument: str, value: object, expected: str) -> None:
        super().__init__(argument, value, expected)
        self.argument = argument
        self.value = value
        self.expected = expected

    def __str__(self) -> str:
        """Return "d_model=7: must be even, RoPE rotates pairs"."""
        return f"{self.argument}={_shorten(self.value)}: {self.expected}"


class BeyondTableError(ParameterError, IndexError):
    """A position that a table has no row for."""


@contextmanager
def named(**names: str) -> Iterator[None]:
    """Let a ParameterError name the caller's argument: `named(x="q")` where q is passed as x."""
    try:
        yield
    except ParameterError as error:
        expected = error.expected
        for inner, outer in names.items():
            expected = re.sub(rf"\b{inner}\b", outer, expected)
        argument = names.get(error.argument, error.argument)
        raise type(error)(argument, error.value, expected) from error


class QueryError(PosencError, ValueError):
    """Everything wrong with one query: `errors`, at most one for each argument."""

    def __init__(self, errors: Iterable[ParameterError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "; ".join(str(error) for error in self.errors)

    def by_argument(self) -> dict[str, str]:
        """Return {"d_model": "d_model=7: must be even"}: the body of a 400 answer."""
        return {error.argument: str(error) for error in self.errors}


class RegistrationError(PosencError):
    """A catalogue file registers something twice or contradicts itself."""


def _shorten(value: object, most: int = 60) -> str:
    """Return text short enough for a message; an array is named by type, shape and dtype."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"<{type(value).__name__} of shape {tuple(shape)}, {getattr(value, 'dtype', '')}>"
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # an int of more than 4300 digits has no decimal text
        text = f"<{type(value).__name__} too long to print>"
    return text if len(text) <= most else f"{text[:most]}..."
