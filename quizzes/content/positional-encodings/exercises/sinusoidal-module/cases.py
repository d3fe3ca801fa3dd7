"""Cases for the sinusoidal module, smallest first.

Every module is made with a small max_len. A single token (row 0 is 0, 1, 0, 1 ...) lets most mistakes
through. Two identify cases are exactly max_len long: without them, code that always raises would
look like code that adds the whole table.
"""

import numpy as np

from quizzes.grader.case import Case


def numbers(*shape):
    """The same numbers every time, to one decimal."""
    return (
        np.random.default_rng(len(shape) + sum(shape)).normal(size=shape).round(1).astype("f4") + 0
    )


def cases(rng):
    for length, d_model in ((1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (3, 4)):
        yield Case(
            f"{length} of 4 tokens, d_model={d_model}",
            {"x": np.zeros((1, length, d_model), "f4")},
            init={"d_model": d_model, "max_len": 4},
            probe="call_eval",
            spare=True,
        )
    yield Case(
        "one token",
        {"x": np.zeros((1, 1, 4), "f4")},
        init={"d_model": 4, "max_len": 10},
        probe="call_eval",
        shown=True,
    )
    yield Case(
        "the example",
        {"x": np.zeros((1, 3, 4), "f4")},
        init={"d_model": 4, "max_len": 10},
        probe="call_eval",
        shown=True,
    )
    yield Case(
        "odd d_model",
        {"x": numbers(2, 3, 5)},
        init={"d_model": 5, "max_len": 16},
        probe="call_eval",
        shown=True,
        identify=True,
    )
    yield Case(
        "exactly max_len, odd d_model",
        {"x": numbers(2, 6, 7)},
        init={"d_model": 7, "max_len": 6},
        probe="call_eval",
        identify=True,
    )
    yield Case(
        "exactly max_len",
        {"x": numbers(1, 8, 6)},
        init={"d_model": 6, "max_len": 8},
        probe="call_eval",
        shown=True,
        identify=True,
    )
    yield Case(
        "three sequences",
        {"x": numbers(3, 10, 8)},
        init={"d_model": 8, "max_len": 64},
        probe="call_eval",
        identify=True,
    )
    yield Case(
        "dropout, in eval mode",
        {"x": numbers(2, 5, 8)},
        init={"d_model": 8, "max_len": 64, "dropout": 0.5},
        probe="call_eval",
        shown=True,
        identify=True,
    )
    yield Case(
        "dropout, in training",
        {"x": np.ones((4, 10, 8), "f4")},
        init={"d_model": 8, "max_len": 64, "dropout": 0.5},
        probe="call_twice_train",
        shown=True,
        identify=True,
    )
    yield Case(
        "x stays as it was",
        {"x": numbers(2, 4, 6)},
        init={"d_model": 6, "max_len": 64},
        probe="input_unchanged",
        shown=True,
        identify=True,
    )
    yield Case(
        "longer than max_len",
        {"x": numbers(2, 7, 6)},
        init={"d_model": 6, "max_len": 4},
        probe="call_eval",
        shown=True,
        identify=True,
        raises=True,
    )
    yield Case(
        "longer than max_len=1",
        {"x": numbers(2, 3, 6)},
        init={"d_model": 6, "max_len": 1},
        probe="call_eval",
        identify=True,
        raises=True,
    )
    yield Case(
        "what is trained",
        init={"d_model": 8, "max_len": 64},
        probe="parameters",
        shown=True,
        identify=True,
    )
    yield Case(
        "what moves with the module",
        {"name": "pe"},
        init={"d_model": 8, "max_len": 64},
        probe="buffers_and_state",
        shown=True,
        identify=True,
    )
    yield Case(
        "half precision",
        {"x": numbers(2, 5, 8)},
        init={"d_model": 8, "max_len": 64},
        probe="call_half",
        shown=True,
    )
    yield Case(
        "float64",
        {"x": numbers(2, 5, 8).astype("f8")},
        init={"d_model": 8, "max_len": 64},
        probe="call_eval",
    )
    yield Case(
        "the gradient for x",
        {"x": numbers(2, 5, 8)},
        init={"d_model": 8, "max_len": 64},
        probe="grad_input",
    )
    yield Case(
        "rows of 40 tokens",
        {"x": np.zeros((1, 40, 8), "f4")},
        init={"d_model": 8, "max_len": 64},
        probe="rows_unique",
    )
    batch, length, d_model = (
        int(rng.integers(low, high)) for low, high in ((2, 5), (11, 40), (9, 33))
    )
    yield Case(
        "drawn: a size of its own",
        {"x": rng.normal(size=(batch, length, d_model)).astype("f4")},
        init={"d_model": d_model, "max_len": length + int(rng.integers(1, 9))},
        probe="call_eval",
    )
    yield Case(
        "max_len not given",
        {"x": numbers(1, 150, 2)},
        init={"d_model": 2},
    )
    for length, d_model in ((64, 32), (256, 128)):
        yield Case(
            f"{length} tokens",
            {"x": np.ones((1, length, d_model), "f4")},
            init={"d_model": d_model, "max_len": length},
            probe="time",
        )
