"""Touching, once in the fork server, what libraries set up lazily: children inherit it."""

from __future__ import annotations

import random
import site
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from quizzes.grader.inside.rehearsal import rehearse_plainly, rehearse_the_rest

NO_COMPILER = (
    "torch.compile needs threads and a compiler, which there are none of here: leave it out, the "
    "results are the same"
)
_KEPT = 1 << 19  # numbers, 4 MB: having freed it, malloc keeps blocks up to that size for reuse


def warm_up(preloaded: Sequence[str]) -> None:
    """Runs one small thing of each kind a job does."""
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
    """Instead of torch.compile, which would look for what is not here until time is up."""
    raise RuntimeError(NO_COMPILER)
