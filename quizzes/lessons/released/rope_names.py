"""A RoPE as a name in addresses, with the length that its text states, and its pictures.

`rope-d128-b500000-kllama3-f8-o8192-c131072` says everything that its pictures show, so nothing is
stored for them and their answers never change. A reader's config.json has such names too.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from posenc.catalog.rope import Rope
from posenc.configs import clocks, ladder
from posenc.configs.clocks import LAST
from posenc.encoding import Encoding, param
from posenc.errors import ParameterError
from posenc.parameters import parameters
from posenc.registry import Entry
from posenc.stack import MOST_TOKENS
from posenc.views import ViewData

NAME = re.compile(r"rope(?:-[a-zA-Z][a-z0-9_]*)+", re.ASCII)
LONGEST = 3000  # characters: LongRoPE has two numbers for each of 48 pairs
KEPT = 64  # entries in each web process
# The parameters of Rope that pictures depend on, by the letter of each.
LETTERS = {
    "d": "head_dim",
    "b": "base",
    "r": "rotary_share",
    "p": "share",
    "k": "scaling",
    "f": "factor",
    "o": "trained_length",
    "m": "yarn_many_turns",
    "n": "yarn_few_turns",
    "t": "yarn_truncate",
    "l": "llama3_low_factor",
    "h": "llama3_high_factor",
    "S": "longrope_short",
    "L": "longrope_long",
}
STATED = "c"
WORDS = {"share", "scaling"}
LISTS = {"longrope_short", "longrope_long"}


@dataclass(frozen=True)
class NamedRope:
    """A RoPE with the length of text that it was trained for and the length that its file states.

    `has_trained`: whether `trained_length` is a fact about the model and not a default.
    """

    rope: Rope
    stated: int | None = None
    has_trained: bool = False

    @property
    def trained(self) -> int | None:
        """Return the trained length, None where it is not known."""
        return self.rope.trained_length if self.has_trained else None

    @property
    def name(self) -> str:
        """Return the name in addresses, "" for one that would be too long for them."""
        fields, usual = [], Rope()
        for letter, field in LETTERS.items():
            value = getattr(self.rope, field)
            is_usual = value == getattr(usual, field) and field not in {"head_dim", "base"}
            if field == "trained_length":
                is_usual = not self.has_trained
            if not is_usual:
                fields.append(letter + _text(field, value))
        if self.stated is not None:
            fields.append(f"{STATED}{self.stated}")
        name = "-".join(("rope", *fields))
        return name if len(name) <= LONGEST else ""


def read_name(name: str) -> NamedRope | None:
    """Return the RoPE of a name; None unless it is exactly as `NamedRope.name` writes it."""
    if len(name) > LONGEST or not NAME.fullmatch(name):
        return None
    numbers: dict[str, Any] = {}
    stated: int | None = None
    try:
        for part in name.split("-")[1:]:
            letter, text = part[0], part[1:]
            if letter == STATED:
                stated = int(text)
            else:
                numbers[LETTERS[letter]] = _value(LETTERS[letter], text)
        if numbers.get("share") == "proportional":
            numbers["pairing"] = "half-split"
        named = NamedRope(Rope(**numbers), stated, "trained_length" in numbers)
    except (KeyError, ValueError, OverflowError):  # ParameterError is a ValueError
        return None
    if stated is not None and not 1 <= stated <= MOST_TOKENS:
        return None
    return named if named.name == name else None


def _text(field: str, value: Any) -> str:
    if field in WORDS:
        return str(value).replace("-", "_")
    if field in LISTS:
        return "x".join(map(_digits, value))
    return _digits(value)


def _digits(value: float) -> str:
    short = f"{value:.0f}" if float(value).is_integer() else f"{value:g}"
    text = short if float(short) == value else repr(value)
    return text.replace(".", "_").replace("e-", "em").replace("e+", "e")


def _value(field: str, text: str) -> Any:
    if field in WORDS:
        return text.replace("_", "-")
    if field in LISTS:
        return tuple(map(_number, text.split("x")))
    kind = next(known.kind for known in parameters(Rope) if known.name == field)
    number = _number(text)
    if kind is int:
        return int(number)
    return bool(number) if kind is bool else number


def _number(text: str) -> float:
    return float(text.replace("_", ".").replace("em", "e-"))


@dataclass(frozen=True)
class RopeOfName(Encoding):
    """An encoding whose numbers are in its name: it has no parameter."""


def is_rope_name(slug: str) -> bool:
    """Return whether a name in an address may be that of a RoPE."""
    return slug.startswith("rope-")


@lru_cache(maxsize=KEPT)
def rope_entry(name: str) -> Entry | None:
    """Return a RoPE as an entry with its two views; None for a name of none that can be drawn."""
    named = read_name(name)
    if named is None:
        return None
    try:
        ladder(named.rope, trained=named.trained, stated=named.stated)
    except ParameterError:
        return None
    entry = Entry(slug=name, title="RoPE", source="", encoding=RopeOfName)
    _add_views(entry, named)
    return entry


def _add_views(entry: Entry, named: NamedRope) -> None:
    rope, stated = named.rope, named.stated
    last = LAST if stated is None else min(stated - 1, LAST)

    @entry.view("periods", title="Periods", kind="curves", scale="magnitude")
    def periods(encoding: Encoding) -> ViewData:
        """Return the period of each pair."""
        del encoding
        return ladder(rope, trained=named.trained, stated=stated)

    @entry.view(
        "position",
        title="A position",
        kind="circles",
        scale="cyclic",
        params={"position": param(last, ge=0, le=LAST, slider=(0, LAST, 1), doc="counted from 0")},
    )
    def position(encoding: Encoding, *, position: int) -> ViewData:
        """Return the hands of all pairs at a position."""
        del encoding
        return clocks(rope, position=position, stated=stated)

    del periods, position
