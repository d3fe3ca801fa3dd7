"""`posenc plot`: a view as a file, its data as JSON, or both."""

import os
import shutil
from pathlib import Path
from typing import Any, get_args

import numpy as np

from posenc.command_line.options import Misused, misused
from posenc.command_line.parser import Command
from posenc.command_line.showing import print_json
from posenc.errors import ParameterError
from posenc.figures.describe import describe
from posenc.figures.palettes import Scheme
from posenc.figures.picture import NARROWEST, WIDEST
from posenc.figures.reference import File, draw
from posenc.parameters import parameters
from posenc.views import ViewData, view_json

FILES: tuple[File, ...] = get_args(File)
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)


class LacksMatplotlib(Exception):  # noqa: N818 -- the command was right
    """Files are drawn by matplotlib, which is not installed."""


def plot(command: Command) -> None:
    """Write the picture to its file and print its description. Raises Misused, LacksMatplotlib."""
    if command.output is None and not command.as_json:
        raise Misused("--output: missing; name a file that ends in .svg, .png or .pdf, or --json")
    dress = dress_of(command)
    data = _compute(command)
    draw_to(command.output, data, dress)
    if command.as_json:
        print_json(_as_json(command, data))
    else:
        print(f"{command.output}: {data.title}. {data.finding}")


def dress_of(command: Command) -> tuple[File | None, str, int]:
    """Return the kind of file, the colours and the width of a picture. Raises Misused."""
    file, width = _file_kind(command.output), _width(command.width)
    if command.scheme not in SCHEMES:
        raise Misused(f"--scheme={command.scheme}: must be one of light, dark")
    return file, command.scheme, width


def draw_to(output: str | None, data: ViewData, dress: tuple[File | None, str, int]) -> None:
    """Write a picture to its file, nothing without one. Raises Misused, LacksMatplotlib."""
    file, scheme, width = dress
    if output is not None and file is not None:
        _write(output, _draw(data, file=file, scheme=scheme, width=width))


def _compute(command: Command) -> ViewData:
    assert command.view is not None  # the parser promises both
    assert command.encoding is not None
    try:
        return command.view.compute(command.encoding, **command.arguments)
    except ParameterError as error:
        known = (*parameters(type(command.encoding)), *command.view.parameters)
        raise misused(error, known) from error


def _file_kind(output: str | None) -> File | None:
    if output is None:
        return None
    ending = Path(output).suffix.lower().removeprefix(".")
    for file in FILES:
        if ending == file:
            return file
    raise Misused(f"--output={output}: must end in .svg, .png or .pdf")


def _width(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 9 and NARROWEST <= int(text) <= WIDEST:
        return int(text)
    raise Misused(f"--width={text}: must be a whole number between {NARROWEST} and {WIDEST}")


def _draw(data: ViewData, *, file: File, scheme: str, width: int) -> bytes:
    try:
        import matplotlib as mpl
    except ImportError as error:
        words = "drawing needs matplotlib; install it with: pip install 'posenc[figures]'"
        raise LacksMatplotlib(words) from error
    del mpl
    return draw(data, scheme="dark" if scheme == "dark" else "light", file=file, width_px=width)


def _write(output: str, picture: bytes) -> None:
    """Write the whole file or nothing: beside the old file first, then in its place."""
    target = Path(os.path.realpath(output))  # a link stays one
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(picture)
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise Misused(f"--output={output}: cannot be written: {error.strerror}") from error


def _as_json(command: Command, data: ViewData) -> dict[str, Any]:
    assert command.entry is not None  # the parser promises it
    assert command.view is not None
    return {
        "encoding": command.entry.slug,
        "view": command.view.slug,
        "file": command.output,
        "alt": describe(data),
        **view_json(data, array=np.ndarray.tolist),
    }
