"""From a declared parameter to an option of the command line, and back from its text."""

import argparse
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.parameters import NUMBER, Parameter, parameters


class Misused(Exception):  # noqa: N818 -- the command is at fault, nothing is broken
    """The command cannot be used as it stands; the message names option, value, expectation."""


def option_name(name: str) -> str:
    """Return --head-dim for head_dim."""
    return "--" + name.replace("_", "-")


def add_options(parser: argparse.ArgumentParser, title: str, options: Iterable[Parameter]) -> None:
    """Give a parser one option for each parameter, with its valid values and its default."""
    group = parser.add_argument_group(title)
    for parameter in options:
        words = [parameter.doc] if parameter.doc else []
        words.append(f"{parameter.validity}; default {parameter.format(parameter.default)}")
        group.add_argument(
            option_name(parameter.name),
            dest=parameter.name,
            metavar=metavar(parameter),
            help=": ".join(words).replace("%", "%%"),
        )


def add_lists(parser: argparse.ArgumentParser, title: str, names: Iterable[str]) -> None:
    """Give a parser one option for each list of numbers."""
    group = parser.add_argument_group(title)
    for name in names:
        words = "numbers separated by commas; default none"
        group.add_argument(option_name(name), dest=name, metavar="X,X,...", help=words)


def lists_of(encoding: type[Encoding]) -> tuple[str, ...]:
    """Return the names of parameters that take several numbers, as LongRoPE's divisors do."""
    declared = {one.name for one in parameters(encoding)}
    return tuple(one.name for one in fields(encoding) if one.name not in declared)


def metavar(parameter: Parameter) -> str:
    """Return the placeholder of the value in the help: the choices, or N, or X."""
    if parameter.kind is bool:
        return "true|false"
    if parameter.choices:
        return "|".join(parameter.choices)
    return "N" if parameter.kind is int else "X"


def values_of(options: Iterable[Parameter], texts: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the values of the options of a command. Raises Misused."""
    values = {}
    for parameter in options:
        text = texts.get(parameter.name)
        if text is None:
            continue
        try:
            values[parameter.name] = parameter.read(text)
        except ParameterError as error:
            raise misused(error, [parameter]) from error
    return values


def numbers_of_lists(
    names: Iterable[str], texts: Mapping[str, str | None]
) -> dict[str, tuple[float, ...]]:
    """Return the numbers of the lists of a command. Raises Misused."""
    lists = {name: texts[name] for name in names if texts.get(name) is not None}
    return {name: _numbers(name, text or "") for name, text in lists.items()}


def _numbers(name: str, text: str) -> tuple[float, ...]:
    parts = text.split(",")
    if not all(map(NUMBER.fullmatch, parts)):
        error = ParameterError(name, text, "must be numbers separated by commas: 1,1.5,2")
        raise misused(error, ())
    return tuple(map(float, parts))


def misused(error: ParameterError, known: Iterable[Parameter]) -> Misused:
    """Return the message with options for arguments: "must be at most 8 with --d-model=4"."""
    text = str(error).removeprefix(error.argument)
    for name in (one.name for one in known):
        text = re.sub(rf"(?<![\w-]){name}(?==)", option_name(name), text)
    return Misused(option_name(error.argument) + text)
