"""Cases for the sinusoidal module, smallest first.

Every module is made with a small max_len. A single token (row 0 is 0, 1, 0, 1 ...) lets most mistakes
through. Two identify cases are exactly max_len long: without them, code that always raises would
look like code that adds the whole table.

Each pair differs in one argument alone: what is kept without looking at it is wrong there. The gradient
is looked at in training mode, so one identify case is in it: what leaves x out there has no gradient
either, and detaches nothing.
"""

import numpy as np

from ordinal_exercise import Case


def numbers(*shape):
    """The same numbers every time, to one decimal."""
    return (
        np.random.default_rng(len(shape) + sum(shape)).normal(size=shape).round(1).astype("f4") + 0
    )


def case(label, x, *, max_len=64, dropout=None, **more):
    """A call in eval mode, unless `probe` says otherwise, of a module made for the columns of x."""
    init = {"d_model": x.shape[-1], "max_len": max_len}
    if dropout is not None:
        init["dropout"] = dropout
    return Case(label, {"x": x}, init=init, **{"probe": "call_eval", **more})


def zeros(*shape):
    return np.zeros(shape, "f4")


def ones(*shape):
    return np.ones(shape, "f4")


def cases(rng):
    for length, d_model in ((1, 2), (1, 3), (2, 2), (2, 3), (2, 4)):
        label = f"{length} of 4 tokens, d_model={d_model}"
        yield case(label, zeros(1, length, d_model), max_len=4, spare=True)
    yield case("one token", zeros(1, 1, 4), max_len=10, shown=True)
    yield case("the example", zeros(1, 3, 4), max_len=10, shown=True)
    x = numbers(2, 3, 5)
    yield case("odd d_model", x, max_len=16, shown=True, identify=True, pair="x")
    yield case("odd d_model, other x", x[::-1].copy(), max_len=16, shown=True, pair="x")
    for length, d_model in ((2, 2), (2, 3)):
        label = f"all {length} tokens, d_model={d_model}"
        yield case(label, numbers(1, length, d_model), max_len=length, spare=True)
    yield case("three sequences of one token", numbers(3, 1, 2), spare=True)
    yield case("two tokens, float64", numbers(1, 2, 2).astype("f8"), spare=True)
    yield case("12 tokens, d_model=2", numbers(1, 12, 2), spare=True)
    yield case("two tokens, d_model=12", numbers(1, 2, 12), spare=True)
    yield case("four tokens, dropout, in eval mode", ones(1, 4, 4), dropout=0.5, spare=True)
    x = numbers(2, 6, 7)
    yield case("exactly max_len, in training", x, max_len=6, probe="call", identify=True)
    yield case("exactly max_len", numbers(1, 8, 6), max_len=8, shown=True, identify=True)
    yield case("three sequences", numbers(3, 10, 8), identify=True)
    yield case("dropout, in eval mode", numbers(2, 5, 8), dropout=0.5, shown=True, identify=True)
    yield case(
        "dropout, in training",
        ones(4, 10, 8),
        dropout=0.5,
        probe="call_twice_train",
        shown=True,
        identify=True,
    )
    yield case(
        "x stays as it was",
        numbers(2, 4, 6),
        probe="input_unchanged",
        clause="8a",
        shown=True,
        identify=True,
    )
    for length in (2, 3):
        label = f"{length} tokens, max_len={length - 1}"
        x = numbers(1, length, 2)
        clause = "6a 6b" if length == 2 else "6a"
        yield case(label, x, max_len=length - 1, clause=clause, spare=True, raises=True)
    too_long = {"identify": True, "raises": True}  # by one token
    x, training = numbers(2, 5, 6), {"probe": "call", "shown": True, **too_long}
    yield case("longer than max_len, in training", x, max_len=4, clause="6a", **training)
    yield case("longer than max_len=1", numbers(1, 2, 6), max_len=1, clause="6a 6b", **too_long)
    made = {"init": {"d_model": 8, "max_len": 64}, "shown": True, "identify": True}
    yield Case("what is trained", probe="parameters", clause="5c", **made)
    buffer = {"name": "pe", "saved": True}
    yield Case(
        "the buffer, and what moves with the module",
        buffer,
        probe="buffers_and_state",
        clause="5a 5b 5c 5d",
        **made,
    )
    yield Case(
        "what is read, and what moves once it was called",
        {"name": "pe", "read": True, "x": numbers(2, 5, 8)},
        probe="buffers_and_state",
        clause="5a 5c 5d 5e",
        **made,
    )
    yield case("two tokens in half precision", numbers(1, 2, 2), probe="call_half", spare=True)
    yield case("the gradient for two tokens", numbers(1, 2, 2), probe="grad_input", spare=True)
    yield case("half precision", numbers(2, 5, 8), probe="call_half", shown=True, identify=True)
    yield case("float64", numbers(2, 5, 8).astype("f8"), identify=True)
    yield case("the gradient for x", numbers(2, 5, 8), probe="grad_input", identify=True)
    yield case("40 tokens, no two rows alike", zeros(1, 40, 8), probe="rows_unique")
    batch, length, d_model = (
        int(rng.integers(low, high)) for low, high in ((2, 5), (11, 40), (9, 33))
    )
    x = rng.normal(size=(batch, length, d_model)).astype("f4")
    most = length + int(rng.integers(1, 9))
    yield case("drawn: a size of its own, in training", x, max_len=most, probe="call")
    yield case("drawn: half precision", x, probe="call_half")
    rate = round(float(rng.uniform(0.1, 0.4)), 3)
    x = rng.uniform(2, 3, size=(4, 16, 16)).astype("f4")  # so that no sum is 0
    yield case("drawn: dropout, in training", x, dropout=rate, probe="call_twice_train")
    few = {"x": numbers(1, 2, 2)}
    yield Case("max_len not given, two tokens", few, init={"d_model": 2}, spare=True)
    x = {"x": numbers(1, 5000, 2)}  # as many as the signature says, in training mode
    yield Case("max_len not given", x, init={"d_model": 2})
    for length, d_model in ((64, 32), (256, 128)):
        yield case(f"{length} tokens", ones(1, length, d_model), max_len=length, probe="time")
