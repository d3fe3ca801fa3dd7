"""The output of `posenc list` and `posenc show`, for people or as JSON."""

import inspect
import json
from typing import Any

import numpy as np

from posenc.command_line.numbers import numbers_of
from posenc.command_line.options import lists_of, misused, option_name
from posenc.command_line.parser import Command
from posenc.command_line.wrapping import hanging, terminal_width, wrapped
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.number_format import grouped
from posenc.parameters import parameters
from posenc.registry import REGISTRY, Entry

FIRST, LAST = 5, 2  # numbers of a long array that people see; --json has all


def list_all(command: Command) -> None:
    """Print every encoding with its hooks and views."""
    if command.as_json:
        print_json([_facts(entry) for entry in REGISTRY.values()])
        return
    width, indent = terminal_width(), max(map(len, REGISTRY)) + 2
    for slug, entry in REGISTRY.items():
        hooks = ", ".join(entry.encoding.hooks()) or "no hook"
        what = f"{entry.title} ({entry.source}): {hooks}"
        print(hanging(slug, what, indent=indent, width=width))
        print(hanging("", f"views: {', '.join(entry.views)}", indent=indent, width=width))
    print()
    commands = {"show ENCODING": "its parameters and numbers", "plot ENCODING VIEW": "a picture"}
    _print_pairs([(f"posenc {command}", words) for command, words in commands.items()])


def show(command: Command) -> None:
    """Print one encoding: its description, parameters, facts and numbers."""
    entry, encoding = command.entry, command.encoding
    assert entry is not None  # the parser promises both
    assert encoding is not None
    if command.as_json:
        numbers = {name: value for name, (value, _) in _numbers(command, encoding).items()}
        print_json({**_everything(entry, encoding), "numbers": numbers})
        return
    numbers = _numbers(command, encoding)
    print(wrapped(f"{entry.title} ({entry.source})", terminal_width()) + "\n")
    print(wrapped(inspect.cleandoc(entry.encoding.__doc__ or ""), terminal_width()))
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
    if numbers:
        print("\nnumbers")
        _print_pairs([(name, _in_a_line(value)) for name, (value, _) in numbers.items()])
        print()
        _print_pairs([(name, words) for name, (_, words) in numbers.items()])
    print("\n" + wrapped(f"views: {', '.join(entry.views)}", terminal_width()))


def _numbers(command: Command, encoding: Encoding) -> dict[str, tuple[Any, str]]:
    try:
        return numbers_of(encoding, command.length)
    except ParameterError as error:
        raise misused(error, ()) from error


def print_json(value: Any) -> None:
    """Print JSON; NaN and infinities become null."""
    print(json.dumps(plain(value), ensure_ascii=False, allow_nan=False))


def plain(value: Any) -> Any:
    """Return the value as dictionaries, lists and numbers of JSON."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        listed = value.tolist()
        return listed if np.isfinite(value).all() else plain(listed)
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
        "parameters": {one: getattr(encoding, one) for one in _names(encoding)},
        "valid": {one.name: one.validity for one in named},
        "parameter_count": encoding.parameter_count(),
    }


def _parameter_lines(entry: Entry, encoding: Encoding) -> list[tuple[str, str]]:
    lines = [
        (
            f"{option_name(one.name)} {one.format(getattr(encoding, one.name))}",
            f"{one.doc}: {one.validity}" if one.doc else one.validity,
        )
        for one in parameters(entry.encoding)
    ]
    lists = {name: getattr(encoding, name) for name in lists_of(entry.encoding)}
    return lines + [
        (option_name(name), ",".join(f"{one:g}" for one in numbers) or "none given")
        for name, numbers in lists.items()
    ]


def _names(encoding: Encoding) -> tuple[str, ...]:
    return (*(one.name for one in parameters(type(encoding))), *lists_of(type(encoding)))


def _print_pairs(pairs: list[tuple[str, str]]) -> None:
    indent = max((len(name) for name, _ in pairs), default=0) + 4
    for name, words in pairs:
        print(hanging(f"  {name}", words, indent=indent, width=terminal_width()))


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
