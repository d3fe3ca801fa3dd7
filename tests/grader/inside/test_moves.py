"""What stays behind when a module moves: counted is what a graphics card would miss, no more."""

import math
from collections import deque
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

from tests.grader.inside.probed import Table, changed, seen

pytestmark = pytest.mark.torch


def holding(hold: Callable[[Any], Any]) -> type[Table]:
    """A table that keeps something more, under the name `kept`."""

    def init(self: Any, width: int) -> None:
        Table.__init__(self, width)
        self.kept = hold(self)

    return changed(__init__=init)


ROWS = torch.ones(2)


class Holder:
    """An object that is no module."""

    def __init__(self, rows: Any) -> None:
        self.rows, self.same = rows, self

    def get(self) -> Any:
        return self.rows


def closure_of(_module: Any) -> Callable[[int], Any]:
    rows = torch.ones(2)

    def get(place: int) -> Any:
        return rows[place] if place else later

    if not len(rows):
        later = 0  # so that a cell is empty
    return get


def endless(_module: Any) -> list[Any]:
    holders: list[Any] = [Holder(number) for number in range(10_000)]
    for holder in holders:
        holder.rows = holders
    return holders


@pytest.mark.parametrize(
    ("hold", "left"),
    [
        (lambda module: module.rows, 0),
        (lambda module: [module.rows], 0),
        (lambda module: {"bias": module.rows}, 0),
        (lambda module: (module.rows, nn.Linear(2, 2).weight), 1),
        (lambda module: module.rows[:2], 1),
        (lambda module: [module.rows.data], 1),
        (lambda module: [module.fixed], 1),
        (lambda module: torch.ones(2), 1),
        (lambda module: [torch.ones(2)] * 2, 1),
        (lambda module: {"a": torch.ones(2), "b": torch.ones(2)}, 2),
        (lambda module: {4: (torch.ones(2), [torch.ones(2)])}, 2),
        (lambda module: {torch.ones(2)}, 1),
        (lambda module: deque([torch.ones(2)]), 1),
        (lambda module: SimpleNamespace(rows=torch.ones(2)), 1),
        (lambda module: SimpleNamespace(rows=module.rows, math=math, torch=torch), 0),
        (lambda module: [nn.Linear(2, 2)], 2),
        (lambda module: [[[{"a": Holder(torch.ones(2))}]]], 1),
        (closure_of, 1),
        (lambda module: lambda: module.rows[0], 0),
        (lambda module: lambda x, rows=ROWS: x + rows, 1),
        (lambda module: Holder(ROWS).get, 1),
        (lambda module: module.dropout.forward, 0),
        (lambda module: partial(torch.add, torch.ones(2)), 1),
        (lambda module: partial(nn.functional.dropout, p=0.5), 0),
        (lambda module: nn.functional.relu, 0),
        (endless, 0),
    ],
)
def test_a_second_name_of_a_parameter_moves_and_all_else_stays(hold: Any, left: int) -> None:
    assert seen(holding(hold), "moves") == {"fact.moves": int(not left), "seen.moves": left}


def storing(store: Callable[[Any], Any]) -> type[Table]:
    """A table that keeps something more, once it was called."""

    def forward(self: Any, x: Any) -> Any:
        store(self)
        return Table.forward(self, x)

    return changed(forward=forward)


@pytest.mark.parametrize(
    ("store", "left"),
    [
        (lambda module: setattr(module, "calls", 1), 0),
        (lambda module: setattr(module, "same", module.rows), 0),
        (lambda module: module.register_buffer("seen", torch.ones(2)), 0),
        (lambda module: setattr(module, "positions", torch.arange(3)), 1),
        (lambda module: module.__dict__.setdefault("kept", {}).update({3: torch.ones(2)}), 1),
        (lambda module: setattr(type(module), "shared", torch.ones(2)), 1),
        (lambda module: module.training and setattr(module, "seen", torch.ones(2)), 1),
        (lambda module: module.training or setattr(module, "seen", torch.ones(2)), 1),
        (lambda module: module.dropout.__dict__.update(kept=Holder(torch.ones(2))), 1),
    ],
)
def test_what_forward_stores_stays_behind(store: Any, left: int) -> None:
    assert seen(storing(store), "moves") == {"fact.moves": int(not left), "seen.moves": left}
    uncalled = seen(storing(store), "moves", kwargs={})
    assert uncalled == {"fact.moves": 1, "seen.moves": 0}


def test_torch_itself_moves_a_parameter_in_place_and_replaces_a_buffer() -> None:
    module = holding(lambda module: [module.rows, module.rows[:2], module.fixed])(4)
    module.to(torch.float64)
    kept = [item.dtype for item in module.kept]
    assert kept == [torch.float64, torch.float32, torch.float32]


def test_a_module_that_does_not_move_at_all_leaves_everything_behind() -> None:
    still = changed(to=lambda self, *args, **kwargs: self)
    assert seen(still, "moves") == {"fact.moves": 0, "seen.moves": 2}
