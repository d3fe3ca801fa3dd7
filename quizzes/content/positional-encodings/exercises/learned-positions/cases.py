"""Cases for the learned table, smallest first.

A single token lets most mistakes through. What is trained and what the gradient reaches tells those apart
whose numbers are right. Two identify cases are exactly max_len long: code that always raises must
not look like code that adds the whole table.

Each pair differs in one argument alone: what is kept without looking at it is wrong there.
"""

import numpy as np

from ordinal_exercise import Case


def numbers(*shape):
    """The same numbers every time, to one decimal."""
    return np.random.default_rng(len(shape) + sum(shape)).normal(size=shape).round(1).astype("f4")


def call(label, shape, max_len, probe="call_eval", **more):
    init = {"max_len": max_len, "d_model": shape[-1]}
    return Case(label, {"x": numbers(*shape)}, init=init, probe=probe, fill=True, **more)


def cases(rng):
    yield call("one token of two, one sequence", (1, 1, 1), 2, spare=True)
    yield call("two tokens of two, one sequence", (1, 2, 1), 2, spare=True)
    yield call("two tokens of two, in training", (1, 2, 1), 2, probe="call", spare=True)
    yield call("two sequences of one token", (2, 1, 1), 2, spare=True)
    yield call("two tokens, max_len=1", (1, 2, 1), 1, spare=True, raises=True)
    yield call("three tokens, max_len=2", (1, 3, 1), 2, spare=True, raises=True)
    yield call("one token", (1, 1, 3), 4, shown=True)
    yield Case(
        "the example",
        {"x": np.zeros((1, 3, 2), "f4")},
        init={"max_len": 4, "d_model": 2},
        probe="call_eval",
        fill=True,
        shown=True,
    )
    yield call("exactly max_len", (1, 4, 3), 4, shown=True, identify=True)
    yield call("two of two tokens, two sequences", (2, 2, 1), 2, spare=True)
    yield call("two tokens, three sequences", (3, 2, 1), 4, spare=True)
    yield call("two tokens of five numbers", (1, 2, 5), 8, spare=True)
    yield call("six tokens of eight", (1, 6, 2), 8, spare=True)
    yield call("exactly max_len, two sequences", (2, 6, 4), 6, identify=True)
    yield call("three sequences", (3, 5, 8), 12, shown=True, identify=True, pair="x")
    yield Case(
        "three sequences, other x",
        {"x": numbers(3, 5, 8)[::-1].copy()},
        init={"max_len": 12, "d_model": 8},
        probe="call_eval",
        fill=True,
        shown=True,
        pair="x",
    )
    error = {"identify": True, "raises": True}  # by one token: of more, code may raise by accident
    yield call("longer than max_len", (5, 5, 4), 4, clause="5a", shown=True, **error)
    yield call("longer than max_len=1", (1, 2, 4), 1, clause="5a 5b", **error)
    yield Case(
        "what is trained",
        init={"max_len": 12, "d_model": 8},
        probe="parameters",
        clause="3a 3b 3c 3d",
        shown=True,
        identify=True,
    )
    yield Case(
        "the gradient of each row, 2 of 3 used",
        {"x": numbers(1, 2, 2)},
        init={"max_len": 3, "d_model": 2},
        probe="grad_parameters",
        fill=True,
        spare=True,
    )
    yield Case(
        "the gradient of each row, 5 of 12 used",
        {"x": numbers(2, 5, 8)},
        init={"max_len": 12, "d_model": 8},
        probe="grad_parameters",
        fill=True,
        shown=True,
        identify=True,
    )
    yield Case(
        "what moves with the module",
        init={"max_len": 12, "d_model": 8},
        probe="moves",
        clause="7a",
        shown=True,
        identify=True,
    )
    yield Case(
        "what moves once it was called",
        {"x": numbers(2, 5, 8)},
        init={"max_len": 12, "d_model": 8},
        probe="moves",
        clause="7a 7b",
        shown=True,
        identify=True,
    )
    yield Case(
        "12 positions, no two rows alike",
        {"x": np.zeros((1, 12, 8), "f4")},
        init={"max_len": 12, "d_model": 8},
        probe="rows_unique",
        fill=True,
        shown=True,
    )
    yield Case(
        "x stays as it was",
        {"x": numbers(2, 4, 6)},
        init={"max_len": 16, "d_model": 6},
        probe="input_unchanged",
        clause="6b",
    )
    yield Case(
        "the gradient for x",
        {"x": numbers(2, 4, 8)},
        init={"max_len": 16, "d_model": 8},
        probe="grad_input",
        clause="2a 6c",
        identify=True,
    )
    batch, length, d_model = (
        int(rng.integers(low, high)) for low, high in ((4, 7), (8, 20), (5, 12))
    )
    yield Case(
        "drawn: a size of its own, in training",
        {"x": rng.normal(size=(batch, length, d_model)).astype("f4")},
        init={"max_len": length + int(rng.integers(1, 9)), "d_model": d_model},
        fill=True,
    )
    for length in (64, 512):
        yield Case(
            f"{length} tokens",
            {"x": numbers(1, length, 32)},
            init={"max_len": length, "d_model": 32},
            probe="time",
            fill=True,
        )
