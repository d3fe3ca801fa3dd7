"""What a library warns of is printed with the learner's line, and nothing of the harness is."""

import io
import sys
import warnings

import numpy as np
import pytest

from quizzes.grader.inside.shown_warnings import show_warnings_of

FILE = "submission.py"


def printed(source: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a program of this file prints as errors; `np` and `warn_deeper` are there."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        show_warnings_of(FILE)
        exec(compile(source, FILE, "exec"), {"np": np, "warn_deeper": warn_deeper})
    return stream.getvalue()


def warn_deeper() -> None:
    """Warn as a library does, from a file of its own."""
    warnings.warn("too deep", RuntimeWarning, stacklevel=1)


def test_a_warning_begins_with_the_guilty_line(monkeypatch: pytest.MonkeyPatch) -> None:
    said = printed("x = np.zeros(2)\ny = x * np.inf\n", monkeypatch)
    assert said.startswith(f"{FILE}:2: RuntimeWarning: invalid value encountered in multiply")
    deep = printed("x = 1\n\nwarn_deeper()\n", monkeypatch)
    assert deep.startswith(f"{FILE}:3: RuntimeWarning: too deep")
    assert "test_shown_warnings" not in deep


def test_a_warning_of_the_harness_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        show_warnings_of(FILE)
        warn_deeper()
    assert stream.getvalue() == ""
