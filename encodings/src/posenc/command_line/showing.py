"""What `posenc list` and `posenc show` print, for people or as JSON."""

import inspect
import json
from functools import cached_property
from typing import Any

import numpy as np

from posenc.command_line.options import option_name
from posenc.command_line.parser import Command
from posenc.encoding import Encoding
from posenc.parameters import parameters
from posenc.registry import REGISTRY, Entry
from posenc.wording import grouped

FIRST, LAST = 5, 2  # numbers of a long array that people see; --json has all


def list_all(command: Command) -> None:
    """Print every encoding with its hooks and views."""
    if command.as_json:
        print_json([_facts(entry) for entry in REGISTRY.values()])
        return
    wide = max(map(len, REGISTRY))
    for slug, entry in REGISTRY.items():
        hooks = ", ".join(entry.encoding.hooks()) or "no hook"
        print(f"{slug:{wide}}  {entry.title} ({entry.source}): {hooks}")
        print(f"{'':{wide}}  views: {', '.join(entry.views)}")
    print("\nposenc show ENCODING       its parameters and numbers")
    print("posenc plot ENCODING VIEW  a picture of it")


def show(command: Command) -> None:
    """Print one encoding: what it is, its parameters, facts and numbers."""
    entry, encoding = command.entry, command.encoding
    assert entry is not None  # the parser promises both
    assert encoding is not None
    if command.as_json:
        print_json(_everything(entry, encoding))
        return
    print(f"{entry.title} ({entry.source})\n")
    print(inspect.cleandoc(entry.encoding.__doc__ or ""))
    print("\nparameters")
    _print_pairs(_parameter_lines(entry, encoding))
    print("\nfacts")
    hooks = ", ".join(encoding.hooks()) or "none"
    _print_pairs(
        [
            ("hooks", hooks),
            ("learned numbers", grouped(encoding.parameter_count())),
            ("beyond training", "defined" if encoding.extrapolates else "not defined"),
            ("depends on", "distances" if encoding.relative else "positions themselves"),
            ("cost", encoding.cost),
        ]
    )
    numbers = numbers_of(encoding)
    if numbers:
        print("\nnumbers")
        _print_pairs([(name, _in_a_line(value)) for name, (value, _) in numbers.items()])
        print()
        _print_pairs([(name, words) for name, (_, words) in numbers.items()])
    print(f"\nviews: {', '.join(entry.views)}")


def numbers_of(encoding: Encoding) -> dict[str, tuple[Any, str]]:
    """Return the numbers that follow from the parameters, each with what it is.

    They are the public properties of the class that hold a number or an array.
    """
    found = {}
    for name, attribute in inspect.getmembers_static(type(encoding)):
        if name.startswith("_") or not isinstance(attribute, property | cached_property):
            continue
        value = getattr(encoding, name)
        if isinstance(value, int | float | np.ndarray):
            words = inspect.getdoc(attribute) or ""
            found[name] = (value, words.partition("\n")[0].removeprefix("Return "))
    return found


def print_json(value: Any) -> None:
    """Print JSON; numbers that are none (NaN, infinities) become null."""
    print(json.dumps(plain(value), ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """Return dictionaries, lists and numbers that JSON knows."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value


def _facts(entry: Entry) -> dict[str, Any]:
    return {
        "slug": entry.slug,
        "title": entry.title,
        "source": entry.source,
        "hooks": entry.encoding.hooks(),
        "extrapolates": entry.encoding.extrapolates,
        "relative": entry.encoding.relative,
        "cost": entry.encoding.cost,
        "views": {view.slug: view.title for view in entry.views.values()},
    }


def _everything(entry: Entry, encoding: Encoding) -> dict[str, Any]:
    named = parameters(type(encoding))
    return {
        **_facts(entry),
        "doc": inspect.cleandoc(entry.encoding.__doc__ or ""),
        "parameters": {one.name: getattr(encoding, one.name) for one in named},
        "valid": {one.name: one.validity for one in named},
        "parameter_count": encoding.parameter_count(),
        "numbers": {name: value for name, (value, _) in numbers_of(encoding).items()},
    }


def _parameter_lines(entry: Entry, encoding: Encoding) -> list[tuple[str, str]]:
    return [
        (
            f"{option_name(one.name)} {one.format(getattr(encoding, one.name))}",
            f"{one.doc}: {one.validity}" if one.doc else one.validity,
        )
        for one in parameters(entry.encoding)
    ]


def _print_pairs(pairs: list[tuple[str, str]]) -> None:
    wide = max((len(name) for name, _ in pairs), default=0)
    for name, words in pairs:
        print(f"  {name:{wide}}  {words}")


def _in_a_line(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, np.ndarray):
        return f"{value:.12g}"
    shape = " x ".join(map(str, value.shape))
    texts = [f"{one:.6g}" for one in value.ravel().tolist()]
    if len(texts) > FIRST + LAST + 1:
        texts = [*texts[:FIRST], "...", *texts[-LAST:]]
    return f"({shape})  {' '.join(texts)}"
