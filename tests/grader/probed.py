"""A module that is right in every way, and what a probe says of it or of something like it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from quizzes.grader.case import Case
from quizzes.grader.inside.probes import observe

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
    """The values of an observation by key; None for a leaf without numbers."""
    fields: dict[str, Any] = {"kwargs": {"x": TOKENS}, "init": {"width": 4}, "fill": True}
    if not isinstance(target, type):
        fields = {"kwargs": {"x": X}}
    leaves = observe(target, Case("case", probe=probe, **{**fields, **more}), library)
    return {
        entry["key"]: None if array is None else array.item() if array.ndim == 0 else array
        for entry, array in leaves
    }


def changed(**methods: Callable[..., Any]) -> type[Table]:
    return type("Changed", (Table,), methods)
