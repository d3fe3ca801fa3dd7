"""A module that is right in every way, and what a probe says of it or of something like it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from quizzes.grader.inside.harness import encode_leaves
from quizzes.grader.inside.probes import observe
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.frame_grammar import check_leaves
from quizzes.grader.protocol.property_measures import measure_properties
from quizzes.grader.protocol.read_results import read_observation
from quizzes.grader.protocol.wire import decode
from quizzes.grader.sandbox.conversation import RESULT_BOUNDS

X = np.random.default_rng(3).normal(size=(2, 3, 6, 4)).astype("f4")
TOKENS = X[:, 0]


class Table(nn.Module):
    """A learned table, right in every way."""

    def __init__(self, width: int, length: int = 8, dropout: float = 0.0) -> None:
        super().__init__()
        self.rows = nn.Parameter(torch.randn(length, width))
        self.register_buffer("fixed", torch.arange(length, dtype=torch.float32)[:, None])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        added = self.rows[: x.size(1)] + self.fixed[: x.size(1)]
        return self.dropout(x + added.to(x.dtype))


def seen(target: Any, probe: str, library: str = "torch", **more: Any) -> dict[str, Any]:
    """What the judge sees of one call, by key; None for a leaf without numbers."""
    fields: dict[str, Any] = {"kwargs": {"x": TOKENS}, "init": {"width": 4}, "fill": True}
    if not isinstance(target, type):
        fields = {"kwargs": {"x": X}}
    case = Case("case", probe=probe, **{**fields, **more})
    frame = decode(encode_leaves(0, observe(target, case, library)), RESULT_BOUNDS)
    leaves = read_observation(frame).leaves
    check_leaves(case, leaves)
    return {key: _plain(leaf.values) for key, leaf in measure_properties(case, leaves).items()}


def _plain(values: Any) -> Any:
    return values if values is None or values.ndim else values.item()


def changed(**methods: Callable[..., Any]) -> type[Table]:
    return type("Changed", (Table,), methods)
