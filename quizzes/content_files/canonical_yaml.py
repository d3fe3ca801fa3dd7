"""YAML in its canonical form: a fixed order of fields, none that is empty, prose at 100 columns.

Text that is read again is the same text, whatever characters it has.
"""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from quizzes.content_files.yaml_nodes import PlainLoader

WIDTH = 100
PROSE_FROM = 60  # characters; shorter texts stay beside their key
FOLDS = re.compile(r"[^\s#-](?:[^\s]| (?=[^\s]))*")  # one line, single spaces, no list or comment
OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")  # in a block, YAML may take one for `\n`


class _Canonical(yaml.SafeDumper):
    """Quotes text that our own reader would take for a number or another value."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        del indentless  # items of a list stand two columns in, as the course has them
        super().increase_indent(flow, False)


_Canonical.yaml_implicit_resolvers = PlainLoader.yaml_implicit_resolvers


class Row(list[Any]):
    """A list that stands on one line."""


class Line(dict[str, Any]):
    """A mapping that stands on one line."""


def _text(dumper: _Canonical, text: str) -> yaml.Node:
    style = None
    if OTHER_BREAKS.search(text):
        style = '"'
    elif "\n" in text:
        style = "|"
    elif len(text) > PROSE_FROM and FOLDS.fullmatch(text):
        style = ">"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _row(dumper: _Canonical, items: Row) -> yaml.Node:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


def _line(dumper: _Canonical, fields: Line) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", fields.items(), flow_style=True)


_Canonical.add_representer(str, _text)
_Canonical.add_representer(Row, _row)
_Canonical.add_representer(Line, _line)


def write_yaml(fields: Mapping[str, Any]) -> str:
    """Return the text of a file with these fields in their order."""
    return yaml.dump(
        dict(fields),
        Dumper=_Canonical,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=WIDTH,
    )


def read_own_yaml(text: str) -> Any:
    """Return the plain values of what `write_yaml` wrote, with whatever characters they have.

    An author's file is for `parse_yaml`, which refuses some.
    """
    return PlainLoader(text).get_single_data()


def ordered(content: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that have a value, in their order; an unknown field is an error."""
    unknown = sorted(content.keys() - set(names))
    if unknown:
        raise ValueError(f"{unknown}: has no place in the canonical form ({', '.join(names)})")
    return {name: content[name] for name in names if _has_value(content.get(name))}


def with_rows(fields: dict[str, Any], *names: str) -> dict[str, Any]:
    """Have these lists stand on one line each."""
    return {name: Row(value) if name in names else value for name, value in fields.items()}


def _has_value(value: Any) -> bool:
    """Say whether a field is written. 0 is: an answer that is `plus_minus: 0` must be exact."""
    return value is not None and value is not False and value not in ("", [])
