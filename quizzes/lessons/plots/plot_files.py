"""Read plots/<name>.py of a course folder: its syntax and its header, with every fault and line.

The program is text here; it runs in the author sandbox only (`draw_plot`).
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from quizzes.content_files.fields import is_slug
from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.python_source import find_syntax_error
from quizzes.content_files.stored_hashes import hash_of
from quizzes.lessons.plots.plot_header import PlotHeader, read_header
from quizzes.pages.blocks import Block, Page, parse_page
from quizzes.pages.chips import Chip

FOLDER = "plots"
FUNCTION = "plot"
KIND = "plot"
_MAY_SHOW = re.compile(r"^ *(?:`{3,}|~{3,})[ \t]*plot\b", re.MULTILINE)


@dataclass(frozen=True)
class PlotSource:
    """One plot as read."""

    slug: str
    path: str
    text: str = field(repr=False)
    header: PlotHeader
    line: int = 1  # of `def plot`

    @property
    def content_hash(self) -> str:
        return plot_hash(self.text)


def plot_hash(text: str) -> str:
    """Return the hash of a plot's program."""
    return hash_of(text)


def plot_file(slug: str) -> str:
    """Return the name of a plot's file below the course."""
    return f"{FOLDER}/{slug}.py"


def read_plots(files: Files) -> tuple[list[PlotSource], list[ContentProblem]]:
    """Read every plot of a course folder."""
    problems: list[ContentProblem] = []
    try:
        entries = files.entries(FOLDER)
    except ContentError as error:
        return [], list(error.problems)
    plots = []
    for entry in entries:
        path = f"{FOLDER}/{entry.name}"
        slug = PurePosixPath(entry.name).stem
        if not entry.is_file or not entry.name.endswith(".py") or not is_slug(slug):
            words = "a plot is a file <name>.py, whose name is a slug such as coin-flips"
            problems.append(ContentProblem(path, 1, words))
            continue
        try:
            text = files.text(path)
        except ContentError as error:
            problems += error.problems
            continue
        plots.append(plot_from(slug, text, problems, path=path))
    return plots, problems


def plot_from(slug: str, text: str, problems: list[ContentProblem], *, path: str) -> PlotSource:
    """Return a plot; note what is wrong with it, without running it."""
    broken = find_syntax_error(text)
    if broken is not None:
        problems.append(ContentProblem(path, *broken))
        return PlotSource(slug, path, text, PlotHeader("", ()))
    try:
        header, tree = read_header(text, path=path, problems=problems)
    except (RecursionError, MemoryError):
        problems.append(ContentProblem(path, 1, "the program is nested too deeply"))
        return PlotSource(slug, path, text, PlotHeader("", ()))
    line = _check_function(tree, header, path, problems) if tree is not None else 1
    return PlotSource(slug, path, text, header, line)


def _check_function(
    tree: ast.Module, header: PlotHeader, path: str, problems: list[ContentProblem]
) -> int:
    """Return the line of `def plot`; note where it is missing or takes other arguments."""
    names = [slider.name for slider in header.sliders]
    expected = f"plot({', '.join(names)})"
    functions = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == FUNCTION
    ]
    if not functions:
        problems.append(ContentProblem(path, 1, f"must define {expected}"))
        return 1
    arguments = functions[-1].args
    own = [argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)]
    count_of_needed = len(arguments.args) - len(arguments.defaults)
    needed = [argument.arg for argument in arguments.args[:count_of_needed]]
    needed += [
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    takes_all = arguments.kwarg is not None or set(names) <= set(own)
    if arguments.posonlyargs or not takes_all or not set(needed) <= set(names):
        words = f"plot takes ({', '.join(own)}), but the header's sliders ask for {expected}"
        problems.append(ContentProblem(path, functions[-1].lineno, words))
    return functions[-1].lineno


def plots_named(text: str) -> list[str]:
    """Return the names of the plots that a step's text shows; it is parsed if it may show one."""
    if not _MAY_SHOW.search(text):
        return []
    blocks = parse_page(text, path="").blocks
    return [str(block.options.get("slug", "")) for block in blocks if block.kind == KIND]


@lru_cache(maxsize=256)
def header_of(text: str) -> PlotHeader:
    """Return the header of a stored plot, which was checked when it was stored."""
    return plot_from("", text, [], path="").header


# ---- what blocks of lessons say of plots


def plot_block_problems(page: Page, headers: Mapping[str, PlotHeader]) -> Iterator[ContentProblem]:
    """Yield the faults of a page's plots that only the plots' headers show.

    The check of references names a plot that is missing.
    """
    for block in page.blocks:
        header = headers.get(_slug(block))
        if block.kind != KIND or header is None:
            continue
        known = {slider.name for slider in header.sliders}
        sliders, values = block.options.get("sliders"), block.options.get("set")
        for name in sliders if isinstance(sliders, list) else ():
            if name not in known:
                at, words = block.node.at("sliders"), _no_slider(header)
                yield at.problem(f"sliders: {name!r}: {words}")
        for name, value in (values if isinstance(values, dict) else {}).items():
            at = block.node.at("set").at(name)
            if words := _unsettable(header, str(name), _text(value)):
                yield at.problem(f"set: {words}")
    for aimed in page.chips:
        target = aimed.block
        header = headers.get(_slug(target)) if target and target.kind == KIND else None
        if target is not None and header is not None and aimed.chip.verb == "set":
            yield from _chip_problems(target, header, aimed.chip)


def _chip_problems(block: Block, header: PlotHeader, chip: Chip) -> Iterator[ContentProblem]:
    shown = block.options.get("sliders") or [slider.name for slider in header.sliders]
    for name, text in chip.values:
        words = _unsettable(header, name, text)
        if not words and name not in shown:
            words = f"{name}={text}: the plot {block.options.get('id')} does not show this slider"
        if words:
            yield ContentProblem(block.path, chip.line, f"set {words}")


def _unsettable(header: PlotHeader, name: str, text: str) -> str:
    """Return why a slider cannot stand at a value, "" where it can."""
    slider = next((known for known in header.sliders if known.name == name), None)
    if slider is None:
        return f"{name}={text}: {_no_slider(header)}"
    if read_place(slider, text) is None:
        return f"{name}={text}: must be {slider.words}"
    return ""


def read_place(slider: Any, text: str) -> int | None:
    """Return the place of a slider that a text names; None for none."""
    try:
        place: int | None = slider.place_of(slider.parameter.parse(text))
    except ValueError:  # ParameterError
        return None
    return place


def _no_slider(header: PlotHeader) -> str:
    names = ", ".join(slider.name for slider in header.sliders) or "none"
    return f"the plot has no such slider; it has {names}"


def _slug(block: Block | None) -> str:
    return str(block.options.get("slug")) if block is not None else ""


def _text(value: object) -> str:
    """Return a value of YAML as addresses have it."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)
