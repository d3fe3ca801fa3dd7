"""Every address of the site, found by walking what Django routes, and forms found in its pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.regex_helper import normalize


@dataclass(frozen=True)
class Address:
    """One route, as written in the files (`route`), and the pattern that matches it."""

    route: str
    pattern: URLPattern
    expressions: tuple[str, ...]  # of each part, from the outermost

    def path(self, *values: str) -> str:
        """Return a path of this route, with the first of `values` that fits in every place."""
        found = [path for value in values for path in self._paths(value)]
        assert found, f"{self.route}: none of {values} fits"
        return "/" + found[0]

    def _paths(self, value: str) -> Iterator[str]:
        path = ""
        for expression in self.expressions:
            form, names = normalize(expression)[0]
            part = form % dict.fromkeys(names, value)
            if not re.search(expression, part):
                return
            path += part
        yield path


def addresses() -> list[Address]:
    """Return every route of the site, those of other people's applications included."""
    return list(_below(get_resolver(), "", ()))


def _below(resolver: URLResolver, route: str, expressions: tuple[str, ...]) -> Iterator[Address]:
    for entry in resolver.url_patterns:
        here = route + str(entry.pattern)
        parts = (*expressions, entry.pattern.regex.pattern)
        if isinstance(entry, URLResolver):
            yield from _below(entry, here, parts)
        else:
            yield Address(here, entry, parts)


@dataclass
class FormInPage:
    """Where a form goes and its inputs: name -> their attributes."""

    action: str
    method: str
    inputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def password_fields(self) -> list[str]:
        """Return the fields that ask for the password an account has now, not for a new one."""
        return [
            name
            for name, attributes in self.inputs.items()
            if attributes.get("type") == "password"
            and attributes.get("autocomplete") != "new-password"
        ]


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[FormInPage] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(FormInPage(given.get("action", ""), given.get("method", "get")))
        elif tag in {"input", "button"} and self.found and given.get("name"):
            self.found[-1].inputs[given["name"]] = given


def forms_in(html: str) -> list[FormInPage]:
    """Return the forms of a page in their order."""
    parser = _Forms()
    parser.feed(html)
    return parser.found
