"""Turning an exception of the student's code into a description with the student's frames only.

A traceback begins in our harness and often ends in numpy or torch, and neither tells a student what
to change: the line that is named is the last one in their own file. Frames of other files are taken
out before the traceback is read, since reading it looks up the source of every frame.

An exception is the student's object. Its class may have a `__str__` that raises, loops or returns a
megabyte, and a `__name__` that is no text. Each text is taken inside a `try`, cut before it goes
into a frame, and once more cleaned by the reader outside.
"""

from __future__ import annotations

import builtins
import difflib
import traceback
import types
from types import TracebackType
from typing import Any

from quizzes.grader.inside.describe import cut, type_name

MAX_FRAMES = 12
MAX_TEXT = 6000
MAX_NAME = 40
MAX_NAMES = 5000
LIKE = 0.75
_SUGGESTED: dict[str, str] = {}  # a child runs one program
MAX_LINE = 1 << 20  # far more than a submission may have


class OutOfTime(BaseException):
    """Raised into the running code at the wall limit, so that the report can name the line.

    Not an Exception: `except Exception` in a student's loop must not swallow it.
    """


def describe_failure(
    error: BaseException, filename: str, stage: str = "returned"
) -> dict[str, Any]:
    """Return type, message, traceback and line; plain data, capped, to be cleaned by the reader."""
    frames = traceback.extract_tb(_own_frames(error.__traceback__, filename))
    line = frames[-1].lineno if frames else None
    if isinstance(error, SyntaxError) and error.filename == filename:
        line = error.lineno
    if type(line) is not int or not 0 <= line < MAX_LINE:
        line = None
    return {
        "rung": stage,
        "type": type_name(error),
        "message": _message_of(error),
        "traceback": _format(error, frames),
        "line": line,
        "memory": isinstance(error, MemoryError),
        "time": isinstance(error, OutOfTime),
        "exit": isinstance(error, SystemExit),
        "suggestion": _suggest(error, frames_of(error)),
    }


def frames_of(error: BaseException) -> list[types.FrameType]:
    """Return the frames through which it came, the innermost last."""
    return [frame for frame, _ in traceback.walk_tb(error.__traceback__)]


def _suggest(error: BaseException, frames: list[types.FrameType]) -> str:
    """Return the name that is most like the one that is not there, as Python says at its prompt.

    Looking one up among a module's thousands takes milliseconds, and each case may fail alike.
    """
    if not isinstance(error, (NameError, AttributeError)):
        return ""
    try:
        name = error.name
        if type(name) is not str or not 0 < len(name) <= MAX_NAME:
            return ""
        if name not in _SUGGESTED:
            _SUGGESTED[name] = _most_similar(name, _names_there(error, frames))
        return _SUGGESTED[name]
    except OutOfTime:
        raise
    except BaseException:  # a student's __dir__ may do anything
        return ""


def _names_there(error: NameError | AttributeError, frames: list[types.FrameType]) -> list[Any]:
    if isinstance(error, AttributeError):
        return dir(error.obj)
    frame = frames[-1]
    return [*frame.f_locals, *frame.f_globals, *dir(builtins)]


def _most_similar(name: str, names: list[Any]) -> str:
    known = [other for other in names if type(other) is str and other != name]
    return next(iter(difflib.get_close_matches(name, known[:MAX_NAMES], n=1, cutoff=LIKE)), "")


def _own_frames(tb: TracebackType | None, filename: str) -> TracebackType | None:
    """Return the traceback without other files' frames, whose text nobody needs to look up."""
    entries = []
    while tb is not None:
        if tb.tb_frame.f_code.co_filename == filename:
            entries.append(tb)
        tb = tb.tb_next
    own = None
    for entry in reversed(entries):
        own = TracebackType(own, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return own


def _message_of(error: BaseException) -> str:
    try:
        if isinstance(error, SyntaxError):
            return cut(str(error.msg), MAX_TEXT)
        return cut(str(error), MAX_TEXT)
    except BaseException:  # a student's __str__ may do anything
        return ""


def _format(error: BaseException, frames: list[traceback.FrameSummary]) -> str:
    try:
        lines = traceback.format_list(frames[-MAX_FRAMES:])
        if not isinstance(error, OutOfTime):
            lines += traceback.format_exception_only(type(error), error)
    except BaseException:
        lines = [type_name(error)]
    return cut("".join(lines)[::-1], MAX_TEXT)[::-1]
