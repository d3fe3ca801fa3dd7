"""Probes for modules and gradients: modes, dtype, dropout, what is trained and what moves.

Only what this process alone can see becomes a fact here; what the numbers show is for the judge.
Modules are made for every probe, since each leaves its mark: `.half()`, `.to("meta")` and a
backward pass change the module for good. Chance never becomes a number, since two right solutions
draw in orders of their own; that there is some, is a leaf of kind `random`. Gradients are of a
weighted sum of the result, in training mode: in a plain sum, tokens or rows could change places.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from quizzes.grader.inside.calling import call_by_name, fresh, is_module, make, result_of, run
from quizzes.grader.inside.describe import Leaf, describe, is_tensor
from quizzes.grader.inside.probe_leaves import fact, send_looks
from quizzes.grader.protocol.case import DROPOUT, OF_A_BUFFER, Case, first_array

SAME = {"rtol": 1e-5, "atol": 1e-6}
DEEPEST = 6  # a list of objects, a dict by length in each, a pair in it, and some to spare
MOST_OPENED = 2000  # containers, functions and other objects in which tensors are looked for
CONTAINERS = (dict, list, tuple, set, frozenset, deque)


def _call_eval(target: Any, case: Case, library: str) -> list[Leaf]:
    """Call two modules made alike; where they differ, call the first again to say why."""
    import torch

    module = make(target, case, library).eval()
    result, changes = run(module, case, library)
    leaves = describe("out", result)
    torch.default_generator.manual_seed(torch.initial_seed() + 1)
    other = make(target, case, library).eval()
    alike = repeats = _same(leaves, describe("out", result_of(other, case, library)))
    if not alike:
        repeats = _same(leaves, describe("out", result_of(module, case, library)))
        leaves = [({**entry, "kind": "random"}, None) for entry, _ in leaves]
    facts = [*fact("eval_repeats", repeats), *fact("modules_alike", alike or not repeats)]
    return [*leaves, *changes, *facts]


def call_eval_once(target: Any, case: Case, library: str) -> list[Leaf]:
    """Call one module in eval mode, where expressions are noted: each call has values of its own.

    Chance is not looked for, so the facts say that there is none.
    """
    result, changes = run(make(target, case, library).eval(), case, library)
    facts = [*fact("eval_repeats", True), *fact("modules_alike", True)]
    return [*describe("out", result), *changes, *facts]


def _call_half(target: Any, case: Case, library: str) -> list[Leaf]:
    module = make(target, case, library).eval().half()
    result = result_of(module, _in_half_precision(case), library)
    return send_looks(case, result, [result] if is_tensor(result) else [])


def _call_twice_train(target: Any, case: Case, library: str) -> list[Leaf]:
    """Call a module twice in training, another one made alike too, and the first in eval mode."""
    module = make(target, case, library).train()
    parts = [result_of(module, case, library) for _ in range(2)]
    parts.append(result_of(make(target, case, library).train(), case, library))
    parts.append(result_of(module.eval(), case, library))
    return send_looks(case, parts[0], parts)


def _parameters(target: Any, case: Case, library: str) -> list[Leaf]:
    parameters = list(make(target, case, library).parameters())
    trainable = sum(item.numel() for item in parameters if item.requires_grad)
    frozen = sum(item.numel() for item in parameters if not item.requires_grad)
    return [*fact("trainable", trainable), *fact("frozen", frozen)]


def _buffers_and_state(target: Any, case: Case, library: str) -> list[Leaf]:
    """Return facts about buffers, and about what a move to a device leaves behind.

    `name` in the case's kwargs is a buffer that must be there under this name, with `saved` in the
    module's state_dict too, and with `read` what the call reads; these are no arguments.
    """
    module, asked = make(target, case, library), case.kwargs
    leaves = fact("buffers", any(item.numel() for item in module.buffers()))
    if "name" in asked:
        leaves += fact("buffer_named", asked["name"] in dict(module.named_buffers()))
    if "saved" in asked:
        leaves += fact("buffer_saved", asked.get("name") in module.state_dict())
    arguments = {name: value for name, value in asked.items() if name not in OF_A_BUFFER}
    if "read" not in asked:
        return [*leaves, *_move(module, arguments, library)]
    leaves += fact("buffer_read", _reads_buffer(module, asked.get("name"), arguments, library))
    return [*leaves, *_move(module, {}, library)]


def _reads_buffer(
    module: Any, name: str | None, arguments: Mapping[str, Any], library: str
) -> bool:
    """Call a module in training mode and, with other numbers in a buffer, in eval mode.

    Return whether the results differ, or the module has put other numbers there itself.
    """
    import torch

    before = call_by_name(module.train(), fresh(arguments, library))
    buffer = dict(module.named_buffers(recurse=False)).get(name)
    if buffer is not None:
        setattr(module, str(name), buffer + 1)
    altered = dict(module.named_buffers(recurse=False)).get(name)
    after = call_by_name(module.eval(), fresh(arguments, library))
    if buffer is None or not (is_tensor(before) and is_tensor(after)):
        return False
    replaced = dict(module.named_buffers(recurse=False)).get(name) is not altered
    return replaced or not torch.equal(before, after)


def _moves(target: Any, case: Case, library: str) -> list[Leaf]:
    return _move(make(target, case, library), case.kwargs, library)


def _move(module: Any, arguments: Mapping[str, Any], library: str) -> list[Leaf]:
    """Return the fact whether a move to another device takes every tensor along.

    With `arguments` the module is called before: in training mode and in eval mode, since what it
    stores in `forward` is there only then.

    A parameter under a second name is no tensor of its own: to a device it moves in place. A buffer
    is replaced on the way, and a slice keeps the old numbers: a second name of a buffer or of a
    part of a parameter stays behind for good, so it counts.
    """
    if arguments:
        for mode in (True, False):
            call_by_name(module.train(mode), fresh(arguments, library))
    known = list(module.parameters())  # kept, since "meta" alone puts others in their place
    module.to("meta")
    known_ids = set(map(id, known))
    registered = [*module.parameters(), *module.buffers()]
    others = [item for item in _held_by(module) if id(item) not in known_ids]
    found = {id(item): item for item in (*registered, *others)}.values()
    left = sum(item.device.type != "meta" for item in found)
    return fact("moves", left == 0, left)


def _is_floats(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _in_half_precision(case: Case) -> Case:
    kwargs = {
        name: value.astype(np.float16) if _is_floats(value) else value
        for name, value in case.kwargs.items()
    }
    return Case(case.label, kwargs, case.init, case.probe)


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
    """Yield every tensor that the module, its parts or their classes hold, registered or not."""
    parts = list(module.modules())
    looked_at = set(map(id, parts))
    for part in parts:
        classes = [kind for kind in type(part).__mro__ if not _is_foreign(kind.__module__)]
        for holder in (part, *classes):
            if hasattr(holder, "__dict__"):
                yield from _tensors_in(dict(vars(holder)), DEEPEST, looked_at)


def _is_foreign(module: str) -> bool:
    return module == "builtins" or module.startswith("torch.")


def _tensors_in(value: Any, deepest: int, looked_at: set[int]) -> Iterator[Any]:
    """Yield the tensors of a value, and those in what it holds, at most so deep.

    `looked_at`: the ids of what was opened before; at most MOST_OPENED things are.
    """
    for item in _parts_of(value):
        if is_tensor(item):
            yield item
        elif deepest and id(item) not in looked_at and _may_hold(item):
            if len(looked_at) >= MOST_OPENED:
                return
            looked_at.add(id(item))
            yield from _tensors_in(item, deepest - 1, looked_at)


def _may_hold(value: Any) -> bool:
    if isinstance(value, CONTAINERS):
        return True
    own = getattr(value, "__dict__", None)
    return isinstance(own, dict) and not isinstance(value, ModuleType)


def _parts_of(value: Any) -> list[Any]:
    """Return the objects that a container, a function or another object holds."""
    if isinstance(value, CONTAINERS):
        return list(value.values() if isinstance(value, dict) else value)
    parts = list(vars(value).values())
    if isinstance(value, FunctionType):
        parts += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
        for cell in value.__closure__ or ():
            with suppress(ValueError):  # a name that has no value yet
                parts.append(cell.cell_contents)
    elif isinstance(value, partial):
        parts += [value.func, *value.args, *value.keywords.values()]
    elif isinstance(value, MethodType):
        parts += [value.__self__, value.__func__]
    return parts


def _grad_input(target: Any, case: Case, library: str) -> list[Leaf]:
    """Return `grad.<name>` of the first array argument, in its shape."""
    import torch

    name = first_array(case)
    function = _in_mode_for_gradients(make(target, case, library), case)
    kwargs = fresh(case.kwargs, library)
    kwargs[name].requires_grad_()
    result = call_by_name(function, kwargs)
    if not is_tensor(result):
        return describe("out", result)
    reaches = result.requires_grad
    if reaches:
        result.backward(weights_of(result))
    gradient = kwargs[name].grad
    if gradient is None:
        gradient = torch.zeros_like(kwargs[name])
    return [*describe(f"grad.{name}", gradient), *fact("reaches_input", reaches)]


def _grad_parameters(target: Any, case: Case, library: str) -> list[Leaf]:
    """Return `grad.parameters` of what is trained, and how many numbers the gradient reaches.

    In rows, as long as a parameter's last axis: a table kept in several parameters, row by row,
    has the gradient of one in a single piece. Rows of several lengths make one long row.
    """
    import torch

    module = _in_mode_for_gradients(make(target, case, library), case)
    result = call_by_name(module, fresh(case.kwargs, library))
    if not is_tensor(result):
        return describe("out", result)
    if result.requires_grad:
        result.backward(weights_of(result))
    trained = [item for item in module.parameters() if item.requires_grad]
    gradient = _in_rows([_gradient_of(item) for item in trained])
    reached = int(torch.count_nonzero(gradient))
    return [*describe("grad.parameters", gradient), *fact("reached", reached)]


def _gradient_of(parameter: Any) -> Any:
    import torch

    gradient = parameter.grad
    if gradient is None:
        return torch.zeros_like(parameter.detach())
    return gradient.to_dense() if gradient.is_sparse else gradient


def _in_rows(gradients: Sequence[Any]) -> Any:
    import torch

    kept = [item for item in gradients if item.numel()]
    rows = [item.reshape(-1, item.shape[-1] if item.ndim else 1) for item in kept]
    if len({item.shape[-1] for item in rows}) == 1:
        return torch.cat(rows)
    return torch.cat([torch.zeros(0), *(item.flatten() for item in rows)])


def _in_mode_for_gradients(function: Any, case: Case) -> Any:
    """Put a module into training mode, or into eval mode where the case asks for dropout."""
    dropping = bool((case.init or {}).get(DROPOUT))
    return function.train(not dropping) if is_module(function) else function


def weights_of(result: Any) -> Any:
    """Return uneven weights in the shape of a result, whose weighted sum is differentiated.

    They are from 1 to 3, in steps of 1/64: so a gradient that adds up to 2^18 of them is exact in
    float32, whatever the order, and none is 0 by chance.
    """
    import torch

    steps = np.rint(64 * np.cos(np.arange(result.numel()))) + 128
    return torch.from_numpy(steps / 64).reshape(result.shape).to(result.dtype)


MODULE_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "call_eval": _call_eval,
    "call_half": _call_half,
    "call_twice_train": _call_twice_train,
    "parameters": _parameters,
    "buffers_and_state": _buffers_and_state,
    "moves": _moves,
    "grad_input": _grad_input,
    "grad_parameters": _grad_parameters,
}
