"""Reads a command. Every option comes from the registry, also those of a new encoding."""

import argparse
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from posenc import __version__
from posenc.command_line.numbers import LENGTH, of_a_length
from posenc.command_line.options import (
    Misused,
    add_lists,
    add_options,
    lists_of,
    misused,
    numbers_of_lists,
    option_name,
    values_of,
)
from posenc.command_line.wrapping import wrapped
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.parameters import parameters
from posenc.registry import REGISTRY, Entry, View

__all__ = ["Command", "Misused", "parse"]

EXAMPLES = """\
examples:
  posenc list
  posenc show rope --head-dim 64 --base 500000
  posenc show alibi --n-heads 12 --json
  posenc plot sinusoidal heatmap -o heatmap.svg
  posenc plot alibi slopes --n-heads 8 -o slopes.png --scheme dark
  posenc config config.json -o periods.svg

`posenc show ENCODING --help` and `posenc plot ENCODING VIEW --help` name every option.
"""

DRAWING = ("--output", "--scheme", "--width")


@dataclass(frozen=True, eq=False)
class Command:
    """One checked command: its verb, its encoding and view, the form of the answer."""

    name: str
    as_json: bool
    entry: Entry | None = None
    encoding: Encoding | None = None
    view: View | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    length: int | None = None  # of the text that numbers are for
    file: str | None = None  # of a model's config
    output: str | None = None
    scheme: str = "light"
    width: str = "720"


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Paragraphs as wide as the terminal; examples as they are written."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        del indent
        return wrapped(text, width)


class Parser(argparse.ArgumentParser):
    """argparse with exceptions for errors, so that all errors are printed the same way."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=Formatter, **options)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help; argparse itself would pass over a disk that is full."""
        print(message, end="", file=file or sys.stdout)

    def error(self, message: str) -> NoReturn:
        raise Misused(f"{message}\nTry `{self.prog} --help`.")


def parse(arguments: Sequence[str]) -> Command:
    """Return the command. Raises Misused; `--help` and `--version` print and exit."""
    options, rest = _parser().parse_known_args(arguments)
    if rest:
        raise Misused(_unknown(rest[0], options))
    if options.command == "config":
        dress = {"output": options.output, "scheme": options.scheme, "width": options.width}
        return Command("config", options.json, file=options.file, **dress)
    entry = REGISTRY[options.encoding] if options.command != "list" else None
    if entry is None:
        return Command(options.command, options.json)
    view = entry.views[options.view] if options.command == "plot" else None
    texts = vars(options)
    encoding = _encoding(entry, texts)
    if view is None:
        return Command("show", options.json, entry, encoding, length=_length(entry, texts))
    values = values_of(view.parameters, texts)
    dress = {"output": options.output, "scheme": options.scheme, "width": options.width}
    return Command("plot", options.json, entry, encoding, view, values, **dress)


def _encoding(entry: Entry, texts: Mapping[str, str | None]) -> Encoding:
    values = values_of(parameters(entry.encoding), texts)
    values |= numbers_of_lists(lists_of(entry.encoding), texts)
    try:
        return entry.encoding(**values)
    except ParameterError as error:
        raise misused(error, parameters(entry.encoding)) from error


def _length(entry: Entry, texts: Mapping[str, str | None]) -> int | None:
    wanted = [LENGTH] if of_a_length(entry.encoding) else []
    return values_of(wanted, texts).get("length")


def _unknown(text: str, arguments: argparse.Namespace) -> str:
    """Return the message for an unknown option, with the options that exist."""
    name = text.partition("=")[0]
    known: list[str] = ["--json"]
    if arguments.command == "config":
        known += DRAWING
    elif arguments.command != "list":
        own: tuple[Any, ...] = parameters(REGISTRY[arguments.encoding].encoding)
        if arguments.command == "plot":
            known += DRAWING
            own += REGISTRY[arguments.encoding].views[arguments.view].parameters
        elif of_a_length(REGISTRY[arguments.encoding].encoding):
            known.append("--length")
        known += [option_name(one.name) for one in own]
        known += map(option_name, lists_of(REGISTRY[arguments.encoding].encoding))
    if not name.startswith("-"):
        return f"{name}: not expected here; options begin with --: {', '.join(sorted(known))}"
    return f"{name}: no such option; there are {', '.join(sorted(known))}"


def _parser() -> Parser:
    parser = Parser(
        prog="posenc",
        description="Positional encodings of transformers: list them, show one, draw one.",
        epilog=EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"posenc {__version__}")
    commands = _choice(parser, "command", "COMMAND", "commands")
    listing = commands("list", help="every encoding with its views")
    _add_json(listing, "a list of objects instead of a table")
    showing = commands("show", help="one encoding: parameters, facts, numbers")
    plotting = commands("plot", help="one view of one encoding, as .svg, .png or .pdf")
    _add_config(commands("config", help="a model's config.json: what each layer does"))
    shown, drawn = (_choice(one, "encoding", "ENCODING", None) for one in (showing, plotting))
    for slug, entry in REGISTRY.items():
        _add_encoding(shown(slug, help=entry.title, description=_what_it_is(entry)), entry)
        one = drawn(slug, help=entry.title, description=_what_it_is(entry))
        views = _choice(one, "view", "VIEW", None)
        for view in entry.views.values():
            _add_view(views(view.slug, help=view.title, description=f"{view.title}."), entry, view)
    return parser


def _choice(parser: Parser, dest: str, metavar: str, title: str | None) -> Callable[..., Parser]:
    """Return a function that adds a word to those valid at this place of the command."""
    more: dict[str, Any] = {"title": title} if title else {}
    return parser.add_subparsers(
        dest=dest, metavar=metavar, required=True, parser_class=Parser, **more
    ).add_parser


def _what_it_is(entry: Entry) -> str:
    return f"{entry.title} ({entry.source}).\n\n{inspect.cleandoc(entry.encoding.__doc__ or '')}"


def _add_encoding(parser: Parser, entry: Entry) -> None:
    _add_parameters(parser, entry)
    if of_a_length(entry.encoding):
        words = f"{LENGTH.doc}: {LENGTH.validity}"
        parser.add_argument_group("numbers").add_argument("--length", metavar="N", help=words)
    _add_json(parser, "every number, as one object")


def _add_view(parser: Parser, entry: Entry, view: View) -> None:
    add_options(parser, "parameters of the view", view.parameters)
    _add_parameters(parser, entry)
    _add_drawing(parser)
    _add_json(parser, "the values, axes and words of the picture; draws nothing without -o")


def _add_config(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="a config.json, read as JSON alone")
    _add_drawing(parser)
    _add_json(parser, "the layers and their frequencies, as one object")


def _add_drawing(parser: Parser) -> None:
    drawing = parser.add_argument_group("drawing")
    drawing.add_argument(
        "-o", "--output", metavar="FILE", help="where to draw: its name ends in .svg, .png or .pdf"
    )
    drawing.add_argument("--scheme", default="light", metavar="light|dark", help="default light")
    drawing.add_argument("--width", default="720", metavar="N", help="px; default 720")


def _add_parameters(parser: Parser, entry: Entry) -> None:
    add_options(parser, "parameters of the encoding", parameters(entry.encoding))
    if lists_of(entry.encoding):
        add_lists(parser, "one number for each pair", lists_of(entry.encoding))


def _add_json(parser: Parser, words: str) -> None:
    parser.add_argument("--json", action="store_true", help=words)
