"""Small jobs that touch what the real one will touch, done where nobody waits for them.

Libraries set up much at its first use: random generators, what formats a traceback, torch's
autograd. A child that did so for itself would do it again in every submission. So the fork server
does one small thing of each kind before its first fork (`warm_up`), and children inherit it.

A child copies every page of the fork server's memory that it writes to, at some µs each, and
counting a reference is writing: of a submission's time that was more than half. So each child does
the small jobs again while it waits for its own: the plain one at once, the others only once it has
waited for a while, since a busy worker has no time for pages that perhaps nobody needs.
"""

from __future__ import annotations

import linecache
import random
import site
import sys
import traceback
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from quizzes.grader.inside.harness import Send, do_job
from quizzes.grader.protocol.case import FOR_MODULES, Case, encode_cases
from quizzes.grader.protocol.wire import Bounds, Frame, decode

FILENAME = "rehearsal.py"
NO_COMPILER = (
    "torch.compile needs threads and a compiler, which are not available here: leave it out, the "
    "results are the same"
)
_KEPT = 1 << 19  # numbers, 4 MB: having freed it, malloc keeps blocks up to that size for reuse
_ROOM = 1 << 17  # numbers, 1 MB: what the largest cases hold at a time
_ARRAY = np.linspace(0.1, 1.0, 32, dtype=np.float32).reshape(2, 4, 4)

_NUMPY = """
import numpy as np
def f(x, n, d, base=10000.0):
    angles = np.arange(n)[:, None] / base ** (np.arange(0, d, 2) / d)
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles[:, : d // 2])
    for row in range(2):
        table[row, row + 1] += float(np.exp(-row)) * x[0, row, 1]
    return np.round(table @ table.T, 3)
"""
_TORCH = """
import torch
def f(x, n, d, base=10000.0):
    rates = torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(base)) / d))
    angles = torch.arange(n)[:, None] * rates
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d // 2]
    return table
"""
_RAISING = """
def f(x, n, d):
    return undefined(x)
"""
_MODULE = """
import torch
from torch import nn
class f(nn.Module):
    def __init__(self, width, dropout=0.0):
        super().__init__()
        rates = 10000.0 ** -torch.arange(0, 1, 2 / width, dtype=torch.float64)
        angles = torch.arange(8, dtype=torch.float64)[:, None] * rates
        table = torch.zeros(8, width)
        table[:, 0::2], table[:, 1::2] = torch.sin(angles), torch.exp(angles).log().cos()
        self.register_buffer("table", table)
        self.rows = nn.Embedding(8, width)
        self.scale = nn.Parameter(torch.ones(1, width))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        if x.size(1) > 8:
            raise ValueError(f"too long: {x.size(1)}")
        added = self.table[: x.size(1)].to(x.dtype) + self.rows(torch.arange(x.size(1)))
        return self.dropout(x * self.scale + added)
"""


def warm_up(preloaded: Sequence[str]) -> None:
    """Run one small thing of each kind a job does."""
    site.setquit()  # exit() and quit(), which `python -S` leaves out
    random.seed(0)
    np.random.seed(0)
    np.sin(np.arange(4.0)) @ np.ones((4, 1))
    np.random.default_rng(0).normal(size=3)
    traceback.format_exception_only(ValueError, ValueError("x"))
    np.ones(_KEPT)
    torch = "torch" in preloaded
    if torch:
        _warm_up_torch()
    rehearse_plainly(torch=torch)
    rehearse_the_rest(torch=torch)


def rehearse_plainly(*, torch: bool, send: Send | None = None) -> None:
    """Do a job with a function; `send` gets its frames."""
    _do(_plain_job(torch), send)


def rehearse_the_rest(*, torch: bool, send: Send | None = None) -> None:
    """Do a job that raises and, with torch, one with a module under every probe.

    What `send` raises breaks it off.
    """
    np.ones(_ROOM)
    _do(_raising_job(), send)
    if torch:
        _do(_module_job(), send)


def _warm_up_torch() -> None:
    import torch

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    torch.manual_seed(0)
    layer = torch.nn.Linear(2, 2)
    layer(torch.ones(1, 2)).sum().backward()
    torch.optim.Adam(layer.parameters()).step()
    torch.nn.MultiheadAttention(4, 2)(*[torch.ones(1, 2, 4)] * 3)
    torch.func.vmap(torch.sin)(torch.ones(2))
    torch.fft.rfft(torch.ones(4))
    torch.linalg.svd(torch.eye(2))
    (torch.ones(2, 2, dtype=torch.float16) @ torch.ones(2, 2, dtype=torch.float16)).sum()
    torch.from_numpy(np.ones(2)).sum().item()
    torch.compile = _refuse_to_compile  # type: ignore[assignment]


def _refuse_to_compile(*_args: Any, **_options: Any) -> None:
    """Raise RuntimeError in the place of torch.compile.

    That would look for what is not here until time is up.
    """
    raise RuntimeError(NO_COMPILER)


@cache
def _plain_job(torch: bool) -> bytes:
    kwargs = {"x": _ARRAY, "n": 96, "d": 96}
    rows = Case("rows", {**kwargs, "n": 8, "d": 8}, probe="rows_unique")
    cases = (Case("shown", kwargs, shown=True), Case("hidden", kwargs), rows)
    return _job(_TORCH if torch else _NUMPY, cases)


@cache
def _raising_job() -> bytes:
    return _job(_RAISING, (Case("raises", {"x": _ARRAY, "n": 2, "d": 2}),))


@cache
def _module_job() -> bytes:
    probes = ("time", *FOR_MODULES, "call", "input_unchanged", "rows_unique", "grad_input")
    cases = [
        Case(
            probe,
            {"x": _ARRAY} if probe != "buffers_and_state" else {"name": "table"},
            {"width": 4, "dropout": 0.5 if probe == "call_twice_train" else 0.0},
            probe,
            fill=True,
        )
        for probe in probes
    ]
    raising = Case("raises", {"x": np.ones((1, 9, 4), "f4")}, {"width": 4})
    return _job(_MODULE, (raising, *cases[1:], cases[0]))


def _job(source: str, cases: tuple[Case, ...]) -> bytes:
    library = "torch" if "torch" in source else "numpy"
    header: dict[str, Any] = {"source": source, "name": "f", "library": library}
    header |= {"seed": 0, "filename": FILENAME, "task": "run_cases", "more": False}
    return encode_cases(cases, {**header, "places": list(range(len(cases)))})


def _do(job: bytes, send: Send | None) -> None:
    main = sys.modules["__main__"]
    try:
        do_job(decode(job, Bounds()), send or _nowhere, _receive_nothing, silence=_stay_loud)
    finally:
        sys.modules["__main__"] = main
        del sys.modules["submission"]
        del linecache.cache[FILENAME]


def _receive_nothing() -> Frame:
    raise RuntimeError("a rehearsal has no hidden cases")


def _nowhere(_frame: bytes) -> None:
    return


def _stay_loud() -> None:
    return
