"""No body above the bound of its address is read, whoever sends it and wherever it goes."""

import dis
import inspect
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, MappingProxyType
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.db import models
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.regex_helper import normalize

from quizzes.config.body_bounds import BODIES, BODY, bound_of
from quizzes.config.web_worker import MOST_BODY_BYTES
from quizzes.courses import sign_in_again
from quizzes.exercises.models.submission import MAX_CHARACTERS
from tests.courses import at

SAMPLES = {"int": 1, "slug": "sinusoidal-table", "str": "x", "path": "x", "uuid": "0" * 32}
SHORT = 100  # characters, where a field names no length: numbers, choices, passwords
BYTES_OF_A_CHARACTER = 12  # four of UTF-8, each as %XX


@dataclass(frozen=True)
class Address:
    """A pattern, and what stands before it: the names of its parts with their converters."""

    pattern: URLPattern
    above: dict[str, Any]


def patterns(
    resolver: URLResolver, before: str = "", above: Mapping[str, Any] = MappingProxyType({})
) -> Iterator[tuple[str, Address]]:
    for one in resolver.url_patterns:
        parts = {**above, **one.pattern.converters}
        if isinstance(one, URLResolver):
            inner = f"{before}{one.namespace}:" if one.namespace else before
            yield from patterns(one, inner, parts)
        else:
            yield f"{before}{one.name or ''}", Address(one, parts)


EVERY = dict(patterns(get_resolver()))


class Unreadable(io.RawIOBase):
    """A body of which no byte may be read."""

    def read(self, size: int = -1) -> bytes:
        raise AssertionError("the body was read")


def addresses() -> dict[str, str]:
    """Return an address for every name that has one, with arguments that fit its converters."""
    paths = {}
    for name, address in EVERY.items():
        pattern = address.pattern
        names = {key: SAMPLES[_kind(one)] for key, one in address.above.items()}
        for _, groups in normalize(pattern.pattern.regex.pattern):
            names |= {key: "x" for key in groups if key not in names}
        if not name.startswith("admin:") and pattern.name:
            paths[name] = reverse(name, kwargs=names)
    return paths


def _kind(converter: object) -> str:
    return type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")


def test_every_address_has_a_bound_and_the_table_names_only_addresses() -> None:
    assert len(addresses()) > 60
    assert set(BODIES) <= set(EVERY)
    assert max(BODIES.values()) <= MOST_BODY_BYTES
    for name, path in addresses().items():
        assert bound_of(path) == BODIES.get(name, BODY), name


@pytest.mark.django_db
@pytest.mark.covering(most=30)
@pytest.mark.parametrize("path", [*addresses().values(), "/admin/login/", "/no/such/page/"])
def test_nothing_of_a_body_above_the_bound_is_read(path: str) -> None:
    """Not by CSRF either, which looks into every form."""
    client = Client(enforce_csrf_checks=True)
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        response = client.generic(
            *("POST", path, b"", kind),
            **{"wsgi.input": Unreadable(), "CONTENT_LENGTH": str(bound_of(path) + 1)},
        )
        assert response.status_code == 413, path
        assert "larger than the site accepts" in response.content.decode()
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_a_body_of_the_bound_is_read_and_a_script_is_told_in_a_sentence(client: Client) -> None:
    path = at("/exercises/sinusoidal-table/draft/")
    kind = "application/x-www-form-urlencoded"
    whole = client.generic("POST", path, b"code=" + b"x" * (BODY - 5), kind)
    assert whole.status_code == 404  # no such exercise here
    more = client.generic("POST", path, b"code=" + b"x" * BODY, kind, headers={"accept": "*/*"})
    assert more.status_code == 413
    assert more.json() == {
        "message": "What you sent is larger than the site accepts. Nothing was changed."
    }


@pytest.mark.django_db
@pytest.mark.parametrize("digits", [20, 4300, 5000, 100_000])
def test_a_length_of_any_number_of_digits_is_refused_in_few_words(digits: int, caplog) -> None:
    """Python reads no number of more than 4 300 digits."""
    response = Client().generic(
        *("POST", "/accounts/login/", b"", "application/x-www-form-urlencoded"),
        **{"wsgi.input": Unreadable(), "CONTENT_LENGTH": "9" * digits},
    )
    assert response.status_code == 413
    assert all(len(record.getMessage()) < 300 for record in caplog.records)


@pytest.mark.django_db
def test_a_length_that_is_no_number_brings_nothing(client: Client) -> None:
    for length in ("-1", "1e9", "٣", ""):
        kind = "application/x-www-form-urlencoded"
        response = client.generic(
            *("POST", "/accounts/login/", b"", kind),
            **{"wsgi.input": io.BytesIO(b"login=a"), "CONTENT_LENGTH": length},
        )
        assert response.status_code == 200


OURS = ("quizzes", "allauth")
LOOKS_FOR_FILES = {sign_in_again.keep}  # to say that they are to be chosen again; takes none


def reached(view: Callable[..., Any]) -> tuple[set[type[forms.BaseForm]], set[str]]:
    """Return the forms and the attributes that a view's code, or code that it calls, mentions."""
    found_forms, attributes, seen = set(), set(), set()
    waiting: list[Any] = [inspect.unwrap(view), getattr(view, "view_class", None)]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, type) and issubclass(one, forms.BaseForm):
            found_forms.add(one)
        elif isinstance(one, type):
            waiting += [member for base in one.__mro__ for member in members(base)]
        elif isinstance(one, FunctionType) and one.__module__.startswith(OURS):
            if one not in LOOKS_FOR_FILES:
                attributes |= attributes_of(one.__code__)
            waiting += [one.__globals__.get(name) for name in names_of(one.__code__)]
    return found_forms, attributes


def members(base: type) -> list[Any]:
    return list(vars(base).values()) if base.__module__.startswith(OURS) else []


@cache
def attributes_of(code: CodeType) -> set[str]:
    """Return the names that stand after a dot: `request.FILES`, and no constant FILES."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    own = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_ATTR"}
    return own.union(*(attributes_of(one) for one in inner))


@cache
def names_of(code: CodeType) -> set[str]:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*(names_of(one) for one in inner))


def needed_by(form: type[forms.BaseForm]) -> float:
    """Return the bytes that a form may need; endless where a file or any text may stand in it."""
    return sum(_needed_by_field(field) for field in form.base_fields.values())


def _needed_by_field(field: forms.Field) -> float:
    longest = getattr(field, "max_length", None)
    if isinstance(field, forms.FileField):
        return float("inf")
    if longest is None and isinstance(field.widget, forms.Textarea):
        return float("inf")
    return (longest or SHORT) * BYTES_OF_A_CHARACTER


@pytest.mark.parametrize("name", sorted(name for name in EVERY if not name.startswith("admin:")))
def test_a_view_that_takes_a_file_or_a_longer_form_is_in_the_table(name: str) -> None:
    found, names = reached(EVERY[name].pattern.callback)
    needs_more = [form for form in found if needed_by(form) > BODY]
    if "FILES" in names or needs_more:
        assert name in BODIES, f"{name}: {needs_more or 'request.FILES'} needs more than {BODY}"


def test_no_model_of_the_administration_takes_a_file() -> None:
    for model in admin.site._registry:
        kinds = [field for field in model._meta.get_fields() if isinstance(field, models.FileField)]
        assert not kinds, f"{model.__name__} is not in the table of bodies"


class WithFile(forms.Form):
    file = forms.FileField()


class WithAnyText(forms.Form):
    text = forms.CharField(widget=forms.Textarea)


class WithLongText(forms.Form):
    text = forms.CharField(max_length=30_000)


@pytest.mark.parametrize("form", [WithFile, WithAnyText, WithLongText])
def test_the_rule_sees_what_needs_more_behind_a_call(form: type[forms.Form]) -> None:
    def answer(request: Any) -> object:
        return read_form(request)  # type: ignore[name-defined]  # noqa: F821

    def take(request: Any) -> object:
        return Form(request.POST, request.FILES)  # type: ignore[name-defined]  # noqa: F821

    ours = {"__name__": "quizzes.made_up"}
    read = FunctionType(take.__code__, ours | {"Form": form})
    found, names = reached(FunctionType(answer.__code__, ours | {"read_form": read}))
    assert found == {form}
    assert "FILES" in names
    assert needed_by(form) > BODY


def test_the_longest_code_fits_however_it_is_written() -> None:
    assert MAX_CHARACTERS * BYTES_OF_A_CHARACTER < BODY
