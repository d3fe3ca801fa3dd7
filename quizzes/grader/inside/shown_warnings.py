"""Warnings of libraries, printed with the line of the submitted code that led to them.

NumPy warns from where it computes, which may be a file of its own or of the harness. What learners
read as "what your code printed" begins with their own line, and has nothing that is not theirs.
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import TextIO


def show_warnings_of(filename: str) -> None:
    """Print warnings by the innermost line of this file, and none that no line of it led to."""

    def show(
        message: Warning | str,
        category: type[Warning],
        _filename: str,
        _lineno: int,
        file: TextIO | None = None,
        _line: str | None = None,
    ) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != filename:
            frame = frame.f_back
        stream = sys.stderr if file is None else file
        if frame is not None and stream is not None:
            stream.write(warnings.formatwarning(message, category, filename, frame.f_lineno))

    warnings.showwarning = show
