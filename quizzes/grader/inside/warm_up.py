"""Touching, once in the fork server, what libraries set up lazily: children inherit it."""

from __future__ import annotations

import random
import site
import sys
import traceback
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from quizzes.grader.case import FOR_MODULES, Case
from quizzes.grader.inside.probes import measure, observe
from quizzes.grader.wire import Bounds, decode, encode

_INPUT = np.ones((2, 4, 4), np.float32)


def warm_up(preloaded: Sequence[str]) -> None:
    """Runs one small thing of each kind a job does."""
    site.setquit()  # exit() and quit(), which `python -S` leaves out
    random.seed(0)
    np.random.seed(0)
    np.sin(np.arange(4.0)) @ np.ones((4, 1))
    decode(encode({"x": 1}, [("x", np.random.default_rng(0).normal(size=3))]), Bounds())
    traceback.format_exception_only(ValueError, ValueError("x"))
    if "torch" in preloaded:
        _warm_up_torch()


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
    _warm_up_probes()


def _warm_up_probes() -> None:
    """Every probe once, on the kind of module that is graded: what torch looks up, it keeps."""
    for probe in (*FOR_MODULES, "call", "input_unchanged", "rows_unique", "grad_input", "causal"):
        _observe_sample(probe)
    measure(_sample(), Case("time", {"x": _INPUT}, {"width": 4}, "time"), "torch")


def rehearse() -> None:
    """In a child that waits for its job: touches what the job will touch.

    Each page that a child writes to for the first time is copied, 2 MB at a time: 3 ms of a
    submission's 6 for a function, more for a module. That need not happen while somebody waits.
    """
    if "torch" in sys.modules:
        _observe_sample("grad_parameters")  # the other probes touch little beside it
    table = np.sin(np.arange(64.0)).reshape(8, 8)
    frame = decode(encode({"x": [1]}, [("x", table @ table.T)]), Bounds())
    np.round(frame.arrays["x"] ** 2, 3).tolist()


def _observe_sample(probe: str) -> None:
    init = {"width": 4, "dropout": 0.5 if probe == "call_twice_train" else 0.0}
    case = Case(probe, {"x": _INPUT}, init, probe, fill=True)
    encode({}, [(entry["key"], array) for entry, array in observe(_sample(), case, "torch")])


@cache
def _sample() -> Any:
    import torch

    class Sample(torch.nn.Module):
        def __init__(self, width: int, dropout: float = 0.0) -> None:
            super().__init__()
            angles = torch.arange(8, dtype=torch.float64)[:, None] * 1e4 ** -torch.arange(0, 1, 0.5)
            table = torch.zeros(8, width)
            table[:, 0::2], table[:, 1::2] = torch.sin(angles), torch.exp(angles).log().cos()
            self.register_buffer("table", table)
            self.rows = torch.nn.Embedding(8, width)
            self.scale = torch.nn.Parameter(torch.ones(1, width))
            self.dropout = torch.nn.Dropout(dropout)

        def forward(self, x: torch.Tensor) -> Any:
            rows = torch.arange(x.size(1))
            table: Any = self.table
            added = table[: x.size(1)].to(x.dtype) + self.rows(rows)
            return self.dropout(x * self.scale + added)

    return Sample
