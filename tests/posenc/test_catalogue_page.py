"""docs/catalogue.md says of each encoding what the encoding says of itself."""

from pathlib import Path
from typing import get_args

import posenc.catalog  # noqa: F401  (registers every encoding)
from posenc.encoding import HOOKS, Layout
from posenc.number_format import grouped
from posenc.parameters import parameters
from posenc.registry import REGISTRY

PAGE = Path(__file__).parents[2] / "docs" / "catalogue.md"


def row(entry):
    """Return the line of the table that an encoding with its default sizes deserves."""
    encoding = entry.encoding()
    used = " ".join("x" if hook in encoding.hooks() else "·" for hook in HOOKS)
    learned = grouped(encoding.parameter_count())
    beyond = "yes" if encoding.extrapolates else "no"
    cells = (f"`{entry.slug}`", entry.source, used, learned, beyond, encoding.cost)
    return "| " + " | ".join(cells) + " |"


def test_the_table_agrees_with_the_catalogue():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("| `")] == [*map(row, REGISTRY.values())]


def test_the_conventions_named_there_exist():
    """Every `name="value"` of the page is a choice of some encoding, or of all that turn."""
    page = PAGE.read_text(encoding="utf-8")
    choices = {
        (parameter.name, value)
        for entry in REGISTRY.values()
        for parameter in parameters(entry.encoding)
        for value in parameter.choices or ()
    } | {("layout", value) for value in get_args(Layout)}
    named = [
        (name.rpartition("`")[2], value.partition('"')[0])
        for name, value in (part.split('="', 1) for part in page.split() if '="' in part)
    ]
    assert named
    assert not [one for one in named if one not in choices]
