"""The catalogue: every encoding under its slug, with the views of its file.

Importing this module alone leaves it empty; importing `posenc.catalog` fills it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from posenc.encoding import Encoding
from posenc.errors import ParameterError, RegistrationError
from posenc.parameters import Parameter, from_field, parameters
from posenc.views import Axis, ColourScale, Kind, ViewData

__all__ = ["REGISTRY", "Axis", "Entry", "View", "ViewData", "register"]

_entries: dict[str, "Entry"] = {}
REGISTRY: Mapping[str, "Entry"] = MappingProxyType(_entries)

TokenAxes = Literal["none", "rows", "both"]


@dataclass(frozen=True, eq=False)
class View:
    """A function from an encoding and a few arguments to ViewData, with its own parameters.

    `in_page` names the JavaScript module that computes the same for a page, "" where there is none;
    of more than `in_page_cells` numbers the server is quicker. posenc itself has no JavaScript.
    `along_x` names the parameters that say how far the x axis goes, or where on it the outlined
    cell is: a page puts their sliders under it.
    `tokens_on` says which axes of the picture, or of its first panel, have a token at each cell, so
    that a page can name them by words, and `tokens_note` what must be said of these words.
    """

    slug: str
    title: str
    kind: Kind
    scale: ColourScale
    encoding: type[Encoding]
    parameters: tuple[Parameter, ...]
    function: Callable[..., ViewData]
    along_x: tuple[str, ...] = ()
    in_page: str = ""
    in_page_cells: int = 0
    tokens_on: TokenAxes = "none"
    tokens_note: str = ""

    def compute(self, encoding: Encoding, **arguments: Any) -> ViewData:
        """Return the data of the picture; arguments left out take their defaults.

        Raises ParameterError for an encoding of another kind, and for an argument that is unknown
        or not valid.
        """
        if not isinstance(encoding, self.encoding):
            expected = f"must be {self.encoding.__name__}(...), whose view {self.slug!r} is"
            raise ParameterError("encoding", encoding, expected)
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in arguments.items():
            if name not in known:
                raise ParameterError(name, value, f"is not a parameter of the view {self.slug!r}")
        checked = {
            name: parameter.validate(arguments.get(name, parameter.default))
            for name, parameter in known.items()
        }
        return self.function(encoding, **checked)


@dataclass(frozen=True, eq=False)
class Entry:
    """One encoding of the catalogue: its class, its source and its views."""

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
        along_x: tuple[str, ...] = (),
        in_page: str = "",
        in_page_cells: int = 0,
        tokens_on: TokenAxes = "none",
        tokens_note: str = "",
    ) -> Callable[[Callable[..., ViewData]], View]:
        """Return a decorator that makes a function (encoding, **params) -> ViewData a View.

        Raises RegistrationError for a slug or a parameter that is taken, for a name in `along_x`
        that no parameter has, and for a module of the page without the numbers it may compute.
        """
        own = tuple(from_field(name, facts) for name, facts in (params or {}).items())
        taken = {parameter.name for parameter in parameters(self.encoding)}
        for parameter in own:
            if parameter.name in taken:
                raise RegistrationError(
                    f"view {slug!r} of {self.slug!r}: parameter {parameter.name!r} is one of the"
                    " encoding's own, so a query could not tell them apart"
                )
        known = taken | {parameter.name for parameter in own}
        for name in along_x:
            if name not in known:
                raise RegistrationError(
                    f"view {slug!r} of {self.slug!r}: along_x={name!r}: must be one of"
                    f" {sorted(known)}"
                )
        if slug in self._views:
            raise RegistrationError(f"{self.slug!r} has two views {slug!r}")
        if bool(in_page) != (in_page_cells > 0):
            raise RegistrationError(
                f"view {slug!r} of {self.slug!r}: in_page={in_page!r} and"
                f" in_page_cells={in_page_cells} must be given together"
            )

        def add(function: Callable[..., ViewData]) -> View:
            page = (along_x, in_page, in_page_cells, tokens_on, tokens_note)
            view = View(slug, title, kind, scale, self.encoding, own, function, *page)
            self._views[slug] = view
            return view

        return add


def register(encoding: type[Encoding], *, slug: str, title: str, source: str) -> Entry:
    """Add an encoding to REGISTRY, return its entry. Raises RegistrationError for a taken slug."""
    if slug in _entries:
        taken = _entries[slug].encoding.__module__
        raise RegistrationError(f"slug {slug!r} is taken by {taken}")
    _entries[slug] = Entry(slug=slug, title=title, source=source, encoding=encoding)
    return _entries[slug]
