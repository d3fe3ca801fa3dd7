"""Warnings of libraries, printed with the line of the submitted code that led to them.

NumPy warns from where it computes, which may be a file of its own or of the harness. What learners
read as "what your code printed" begins with their own line, and has nothing that is not theirs.
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any


def show_warnings_of(submission: str) -> None:
    """Print warnings by the innermost line of this file, and none that no line of it led to."""

    def show(message: Warning | str, category: type[Warning], *_place: Any, **_more: Any) -> None:
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != submission:
            frame = frame.f_back
        if frame is not None and sys.stderr is not None:
            text = warnings.formatwarning(message, category, submission, frame.f_lineno)
            sys.stderr.write(text)

    warnings.showwarning = show
