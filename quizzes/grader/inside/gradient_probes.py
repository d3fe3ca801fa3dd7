"""Probes for gradients: of the sum of the result, so that they can be read as counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quizzes.grader.case import Case, first_array
from quizzes.grader.inside.calling import call_by_name, fresh, is_module, make
from quizzes.grader.inside.describe import Leaf, describe, is_tensor
from quizzes.grader.inside.facts import fact


def _grad_input(target: Any, case: Case, library: str) -> list[Leaf]:
    """`grad.<name>` of the first array argument, in its shape."""
    import torch

    name = first_array(case)
    function = _in_eval_mode(make(target, case, library))
    kwargs = fresh(case.kwargs, library)
    kwargs[name].requires_grad_()
    result = call_by_name(function, kwargs)
    if not is_tensor(result):
        return describe("out", result)
    reaches = result.requires_grad
    if reaches:
        result.sum().backward()
    gradient = kwargs[name].grad
    if gradient is None:
        gradient = torch.zeros_like(kwargs[name])
    return [*describe(f"grad.{name}", gradient), *fact("reaches_input", reaches)]


def _grad_parameters(target: Any, case: Case, library: str) -> list[Leaf]:
    """`grad.parameters` of what is trained, and how many numbers the gradient reaches.

    In rows, as long as a parameter's last axis: a table kept in several parameters, row by row,
    has the gradient of one in a single piece. Rows of several lengths make one long row.
    """
    import torch

    module = _in_eval_mode(make(target, case, library))
    result = call_by_name(module, fresh(case.kwargs, library))
    if not is_tensor(result):
        return describe("out", result)
    if result.requires_grad:
        result.sum().backward()
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


def _in_eval_mode(function: Any) -> Any:
    return function.eval() if is_module(function) else function


GRADIENT_PROBES: Mapping[str, Callable[[Any, Case, str], list[Leaf]]] = {
    "grad_input": _grad_input,
    "grad_parameters": _grad_parameters,
}
