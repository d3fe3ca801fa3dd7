"""Probes for modules: modes, dtype, dropout, what is trained and what moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from quizzes.grader.case import Case
from quizzes.grader.inside.calling import make, run
from quizzes.grader.inside.describe import Leaf, describe, is_tensor
from quizzes.grader.inside.facts import dtype_code, fact
from quizzes.grader.inside.looking import look_at

DROPPED = (0.3, 0.7)  # the share of zeros that half a dropout may leave in some hundred numbers
SAME = {"rtol": 1e-5, "atol": 1e-6}


def _call_eval(target: Any, case: Case, library: str) -> list[Leaf]:
    """Two modules made alike give the same; if not, a second call of the first says why."""
    import torch

    module = make(target, case, library).eval()
    result, changes = run(module, case, library)
    leaves = describe("out", result)
    torch.default_generator.manual_seed(torch.initial_seed() + 1)
    other = make(target, case, library).eval()
    alike = repeats = _same(leaves, describe("out", run(other, case, library)[0]))
    if not alike:
        repeats = _same(leaves, describe("out", run(module, case, library)[0]))
        leaves = [({**entry, "kind": "random"}, None) for entry, _ in leaves]
    facts = [*fact("eval_repeats", repeats), *fact("modules_alike", alike or not repeats)]
    return [*leaves, *changes, *facts, *_dtype_kept(result, case)]


def _call_half(target: Any, case: Case, library: str) -> list[Leaf]:
    module = make(target, case, library).eval().half()
    result, _ = run(module, _in_half_precision(case), library)
    if not is_tensor(result):
        return describe("out", result)
    return fact("half_dtype", dtype_code(str(result.dtype).removeprefix("torch.")))


def _call_twice_train(target: Any, case: Case, library: str) -> list[Leaf]:
    """For a module that drops one half: the share of zeros, and what became of the others."""
    module = make(target, case, library).train()
    first, second = (run(module, case, library)[0] for _ in range(2))
    plain = run(module.eval(), case, library)[0]
    return look_at(first, [first, second, plain], _look_at_dropout)


def _look_at_dropout(numbers: Any, others: Any, kept: Any) -> list[Leaf]:
    share = float(np.mean(numbers == 0))
    differ = numbers.shape != others.shape or not np.array_equal(numbers, others)
    leaves = fact("dropout_share", DROPPED[0] <= share <= DROPPED[1], share)
    leaves += fact("calls_differ", differ)
    if numbers.shape == kept.shape:
        leaves += fact("kept_scaled", _scaled_alike(numbers, kept))
    return leaves


def _parameters(target: Any, case: Case, library: str) -> list[Leaf]:
    parameters = list(make(target, case, library).parameters())
    trainable = sum(item.numel() for item in parameters if item.requires_grad)
    frozen = sum(item.numel() for item in parameters if not item.requires_grad)
    return [*fact("trainable", trainable), *fact("frozen", frozen)]


def _buffers_and_state(target: Any, case: Case, library: str) -> list[Leaf]:
    """`name` in the case's kwargs is a buffer that must be there under this name."""
    module = make(target, case, library)
    leaves = fact("buffers", any(item.numel() for item in module.buffers()))
    if "name" in case.kwargs:
        leaves += fact("buffer_named", case.kwargs["name"] in dict(module.named_buffers()))
    return [*leaves, *_move(module)]


def _moves(target: Any, case: Case, library: str) -> list[Leaf]:
    return _move(make(target, case, library))


def _move(module: Any) -> list[Leaf]:
    """A parameter under a second name is no tensor of its own: to a device it moves in place.

    A buffer is replaced on the way, and a slice keeps the old numbers: a second name of a buffer
    or of a part of a parameter stays behind for good, so it counts.
    """
    known = list(module.parameters())  # kept, since "meta" alone puts others in their place
    module.to("meta")
    known_ids = set(map(id, known))
    registered = [*module.parameters(), *module.buffers()]
    others = [item for item in _held_by(module) if id(item) not in known_ids]
    found = {id(item): item for item in (*registered, *others)}.values()
    left = sum(item.device.type != "meta" for item in found)
    return fact("moves", left == 0, left)


def _dtype_kept(result: Any, case: Case) -> list[Leaf]:
    """Whether a tensor has the dtype of the first array argument; nothing where there is none."""
    floats = [item for item in case.kwargs.values() if _is_floats(item)]
    if not floats or not is_tensor(result):
        return []
    return fact("dtype_kept", str(result.dtype).removeprefix("torch.") == floats[0].dtype.name)


def _is_floats(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _in_half_precision(case: Case) -> Case:
    kwargs = {
        name: value.astype(np.float16) if _is_floats(value) else value
        for name, value in case.kwargs.items()
    }
    return Case(case.label, kwargs, case.init, case.probe)


def _scaled_alike(dropped: Any, plain: Any) -> bool:
    """Whether every number that was kept is one multiple of its own, by what was dropped."""
    left = dropped != 0
    if not left.any() or (plain[left] == 0).any():
        return False
    factors = dropped[left] / plain[left]
    factor = float(np.median(factors))
    return bool(np.allclose(factors, factor, rtol=0.01) and 0.7 < factor * left.mean() < 1.3)


def _same(leaves: list[Leaf], others: list[Leaf]) -> bool:
    if [entry["key"] for entry, _ in leaves] != [entry["key"] for entry, _ in others]:
        return False
    for (_, one), (_, other) in zip(leaves, others, strict=True):
        if one is None or other is None:
            continue
        if np.array_equal(one, other):
            continue
        if one.shape != other.shape or not np.allclose(one, other, equal_nan=True, **SAME):
            return False
    return True


def _held_by(module: Any) -> Iterator[Any]:
    """Every tensor that the module and its parts hold, registered or not, one level deep."""
    for part in module.modules():
        for value in vars(part).values():
            if isinstance(value, list | tuple):
                yield from (item for item in value if is_tensor(item))
            elif isinstance(value, dict):
                yield from (item for item in value.values() if is_tensor(item))
            elif is_tensor(value):
                yield value


MODULE_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "call_eval": _call_eval,
    "call_half": _call_half,
    "call_twice_train": _call_twice_train,
    "parameters": _parameters,
    "buffers_and_state": _buffers_and_state,
    "moves": _moves,
}
