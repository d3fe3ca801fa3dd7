"""The catalogue: every encoding under its slug, with the views of its file.

Importing this module alone leaves it empty; importing `posenc.catalog` fills it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from posenc.encoding import Encoding
from posenc.errors import RegistrationError
from posenc.parameters import Parameter, from_field, parameters
from posenc.views import Axis, ColourScale, Kind, View, ViewData

__all__ = ["REGISTRY", "Axis", "Entry", "View", "ViewData", "register"]

_entries: dict[str, "Entry"] = {}
REGISTRY: Mapping[str, "Entry"] = MappingProxyType(_entries)


@dataclass(frozen=True, eq=False)
class Entry:
    """One encoding of the catalogue: its class, where it comes from, what can be drawn of it."""

    slug: str
    title: str
    source: str
    encoding: type[Encoding]
    _views: dict[str, View] = field(default_factory=dict)

    @property
    def views(self) -> Mapping[str, View]:
        """Return the views by slug, in the order they were declared."""
        return MappingProxyType(self._views)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters of the encoding itself that a page may set."""
        return tuple(one for one in parameters(self.encoding) if one.on_pages)

    def view(
        self,
        slug: str,
        *,
        title: str,
        kind: Kind,
        scale: ColourScale,
        params: Mapping[str, Any] | None = None,
    ) -> Callable[[Callable[..., ViewData]], View]:
        """Return a decorator that makes a function (encoding, **params) -> ViewData a View."""
        own = tuple(from_field(name, facts) for name, facts in (params or {}).items())
        taken = {parameter.name for parameter in parameters(self.encoding)}
        for parameter in own:
            if parameter.name in taken:
                raise RegistrationError(
                    f"view {slug!r} of {self.slug!r}: parameter {parameter.name!r} is one of the"
                    " encoding's own, so a query could not tell them apart"
                )
        if slug in self._views:
            raise RegistrationError(f"{self.slug!r} has two views {slug!r}")

        def add(function: Callable[..., ViewData]) -> View:
            view = View(slug, title, kind, scale, self.encoding, own, function)
            self._views[slug] = view
            return view

        return add


def register(encoding: type[Encoding], *, slug: str, title: str, source: str) -> Entry:
    """Add an encoding to REGISTRY and return its entry. Raises RegistrationError if it is there."""
    if slug in _entries:
        taken = _entries[slug].encoding.__module__
        raise RegistrationError(f"slug {slug!r} is taken by {taken}")
    _entries[slug] = Entry(slug=slug, title=title, source=source, encoding=encoding)
    return _entries[slug]
