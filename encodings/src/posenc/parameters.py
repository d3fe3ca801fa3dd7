"""One line declares a parameter; validation, form field and documentation follow from it."""

import dataclasses
import functools
import math
import numbers
import re
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from posenc.errors import ParameterError
from posenc.limits import between, multiple, within

Scale = Literal["linear", "log"]
Slider = tuple[float, float, float]  # low, high, step

WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
# 24 digits after the point: Python writes 0.00010000000000000002 before it turns to exponents.
NUMBER = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]{0,24})?|\.[0-9]{1,24})([eE][+-]?[0-9]{1,3})?")
NONE = "none"  # the text of an optional parameter that is left out
TRUE, FALSE = ("true", "on", "1"), ("false", "off", "0")


@dataclass(frozen=True)
class Parameter:
    """One parameter: its valid values (ge, le, multiple_of, choices) and the slider of a page.

    `slider` is the range that a page offers and the limit of the web; the library itself accepts
    every valid value, since real models go beyond any comfortable slider. A number without a slider
    is not on pages at all, and nor is a `hidden` choice. None is valid for an `optional` parameter.
    """

    name: str
    kind: type
    default: Any
    ge: float | None = None
    le: float | None = None
    multiple_of: int | None = None
    slider: Slider | None = None
    scale: Scale = "linear"
    choices: tuple[str, ...] | None = None
    doc: str = ""
    hidden: bool = False
    optional: bool = False

    def validate(self, value: object) -> Any:
        """Return the value as a plain bool, int, float or str. Raises ParameterError."""
        if self.optional and value is None:
            return None
        if self.kind is bool:
            return self._boolean(value)
        if self.kind is str:
            return self._choice(value)
        number = self._whole(value) if self.kind is int else self._real(value)
        if not within(number, self.ge, self.le):
            raise ParameterError(self.name, value, f"must be {between(self.ge, self.le)}")
        if self.multiple_of and number % self.multiple_of:
            raise ParameterError(self.name, value, f"must be {multiple(self.multiple_of)}")
        return number

    def parse(self, text: str) -> Any:
        """Return the value a page sent as text, within `web_limits`. Raises ParameterError."""
        return self._read(text, self.expectation, *self.web_limits)

    def read(self, text: str) -> Any:
        """Return the value of a text, if it is valid for the library. Raises ParameterError."""
        return self._read(text, self.validity, self.ge, self.le)

    def _read(self, text: str, expected: str, low: float | None, high: float | None) -> Any:
        if self.optional and text == NONE:
            return None
        if self.kind is bool:
            if text not in TRUE + FALSE:
                raise ParameterError(self.name, text, f"must be {expected}")
            return text in TRUE
        if self.kind is str:
            return self.validate(text)
        pattern = WHOLE_NUMBER if self.kind is int else NUMBER
        if not pattern.fullmatch(text):
            raise ParameterError(self.name, text, f"must be {expected}")
        value = self.kind(text)
        if not within(value, low, high):
            raise ParameterError(self.name, text, f"must be {between(low, high)}")
        try:
            return self.validate(value)
        except ParameterError as error:
            raise ParameterError(self.name, text, error.expected) from error

    def format(self, value: Any) -> str:
        """Return the shortest text that `parse` reads back as this very value."""
        if value is None:
            return NONE
        if self.kind is bool:
            return "true" if value else "false"
        if self.kind is float:
            short = f"{value:g}"
            return short if float(short) == value else repr(value)
        return str(value)

    @property
    def on_pages(self) -> bool:
        """Return whether a page may set it: a number needs a slider."""
        return not self.hidden and (self.slider is not None or self.kind in (bool, str))

    @property
    def web_limits(self) -> tuple[float | None, float | None]:
        """Return the lowest and highest value a page may ask for."""
        return (self.slider[0], self.slider[1]) if self.slider else (self.ge, self.le)

    @property
    def expectation(self) -> str:
        """Return in words what a page accepts: "a whole number between 2 and 1024"."""
        return self._in_words(*self.web_limits)

    @property
    def validity(self) -> str:
        """Return in words what the library accepts: "a whole number at least 2, even"."""
        words = self._in_words(self.ge, self.le)
        return f"{words}, {multiple(self.multiple_of)}" if self.multiple_of else words

    def _in_words(self, low: float | None, high: float | None) -> str:
        if self.kind is bool:
            return "true or false"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        noun = "a whole number" if self.kind is int else "a number"
        noun = f"{NONE} or {noun}" if self.optional else noun
        return f"{noun} {between(low, high)}".strip()

    def _whole(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise ParameterError(self.name, value, "must be a whole number")
        return int(value)

    def _real(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ParameterError(self.name, value, "must be a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise ParameterError(self.name, value, "must be finite")
        return number

    def _boolean(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ParameterError(self.name, value, "must be True or False")
        return value

    def _choice(self, value: object) -> str:
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            raise ParameterError(self.name, value, f"must be {self.expectation}")
        return value


def param(
    default: Any,
    *,
    ge: float | None = None,
    le: float | None = None,
    multiple_of: int | None = None,
    slider: Slider | None = None,
    scale: Scale = "linear",
    choices: tuple[str, ...] | None = None,
    doc: str = "",
    hidden: bool = False,
) -> Any:
    """Declare a parameter: a dataclass field of an encoding, or an argument of a view.

    Its kind is the field's annotation (for a view the type of the default); the choices of a
    field annotated `Literal["a", "b"]` are read from there, and `float | None` may be left out.
    """
    facts = {"ge": ge, "le": le, "multiple_of": multiple_of, "slider": slider}
    words = {"scale": scale, "choices": choices, "doc": doc, "hidden": hidden}
    metadata = {"param": {**facts, **words}}
    return dataclasses.field(default=default, metadata=metadata)


def from_field(name: str, field: Any, annotation: Any = None) -> Parameter:
    """Return the Parameter that `param(...)` declared."""
    facts = dict(field.metadata["param"])
    kind = annotation or type(field.default)
    if get_origin(kind) is Literal:
        kind, facts["choices"] = str, get_args(annotation)
    if isinstance(kind, UnionType):  # X | None
        kind, facts["optional"] = get_args(kind)[0], True
    return Parameter(name=name, kind=kind, default=field.default, **facts)


def parameters(cls: type) -> tuple[Parameter, ...]:
    """Return the parameters of an encoding class, in the order they were declared."""
    return _declared(cls)


@functools.cache
def _declared(cls: type) -> tuple[Parameter, ...]:
    annotations = get_type_hints(cls)
    return tuple(
        from_field(field.name, field, annotations[field.name])
        for field in dataclasses.fields(cls)
        if "param" in field.metadata
    )
