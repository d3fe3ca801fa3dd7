"""From the text of a query to an encoding and a view's arguments, and back to canonical text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from posenc.encoding import Encoding
from posenc.errors import ParameterError, QueryError
from posenc.parameters import Parameter
from posenc.registry import Entry, View
from posenc.views import ViewData


@dataclass(frozen=True, eq=False)
class Selection:
    """One view of one encoding, with all parameters: the answer to a query."""

    entry: Entry
    view: View
    encoding: Encoding
    arguments: Mapping[str, Any]

    def compute(self) -> ViewData:
        """Return the data of the picture. Raises ParameterError."""
        return self.view.compute(self.encoding, **self.arguments)

    def values(self) -> dict[str, Any]:
        """Return every parameter with its value, the encoding's first."""
        own = {one.name: getattr(self.encoding, one.name) for one in self.entry.parameters}
        return {**own, **self.arguments}

    def canonical(self) -> str:
        """Return the query with every parameter, sorted: equal pictures have equal addresses."""
        return self._canonical

    @cached_property
    def _canonical(self) -> str:
        # A page asks some fifteen times for those of its figures: 0.1 ms each time.
        values = self.values()
        texts = {one.name: one.format(values[one.name]) for one in all_parameters(self)}
        return urlencode(sorted(texts.items()))


def all_parameters(selection: Selection) -> tuple[Parameter, ...]:
    """Return the parameters of the encoding, then those of the view."""
    return selection.entry.parameters + selection.view.parameters


def read_query(entry: Entry, view: View, query: Mapping[str, str]) -> Selection:
    """Return the selection of `query` (name -> text); missing parameters take their defaults.

    Raises QueryError with one error for each argument that is unknown or not valid.
    """
    encoding_values, errors = _parse(entry.parameters, query)
    arguments, more = _parse(view.parameters, query)
    errors += more
    known = {one.name for one in entry.parameters + view.parameters}
    for name in query:
        if name not in known:
            expected = "is not a parameter; there are " + ", ".join(sorted(known))
            errors.append(ParameterError(name[:40], query[name], expected))
    if errors:
        raise QueryError(errors)
    try:
        encoding = entry.encoding(**encoding_values)
    except ParameterError as error:
        raise QueryError([error]) from error
    return Selection(entry, view, encoding, arguments)


def _parse(
    parameters: Iterable[Parameter], query: Mapping[str, str]
) -> tuple[dict[str, Any], list[ParameterError]]:
    values: dict[str, Any] = {}
    errors: list[ParameterError] = []
    for parameter in parameters:
        text = query.get(parameter.name)
        try:
            values[parameter.name] = parameter.default if text is None else parameter.parse(text)
        except ParameterError as error:
            errors.append(error)
    return values, errors
