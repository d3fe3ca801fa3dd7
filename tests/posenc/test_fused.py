"""Fused kernels: against complex numbers, beside the long way, and out of the way."""

import sys
import threading

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from posenc import fused
from posenc.catalog.rope import Rope
from posenc.errors import ParameterError, UnavailableError
from posenc.rotation import turn_pairs

pytestmark = pytest.mark.torch

PAIRINGS = pytest.mark.parametrize("pairing", ["adjacent", "half-split"])
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
HALF_A_UNIT = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8}


@pytest.fixture(autouse=True)
def _in_use():
    fused.use()
    yield
    fused.stop()


def normal(*shape, seed=0, dtype=torch.float32):
    return torch.from_numpy(np.random.default_rng(seed).normal(size=shape)).to(dtype)


def waves(*shape, seed=1):
    angles = normal(*shape, seed=seed, dtype=torch.float64) * 9
    return angles.cos().float(), angles.sin().float()


def by_complex_numbers(x, cos, sin, pairing):
    """Oracle: float64, every pair one complex number times another."""
    x, factors = x.double().numpy(), cos.double().numpy() + 1j * sin.double().numpy()
    pairs, out = factors.shape[-1], x.copy()
    if pairing == "adjacent":
        left, right = slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)
    else:
        left, right = slice(0, pairs), slice(pairs, 2 * pairs)
    z = (x[..., left] + 1j * x[..., right]) * factors
    out[..., left], out[..., right] = z.real, z.imag
    return out


def assert_rounded_once(turned, x, cos, sin, pairing):
    """Each number is the true one but for float32's own three roundings and its dtype's one."""
    true = by_complex_numbers(x, cos, sin, pairing)
    error = np.abs(turned.double().numpy() - true)
    norms = np.abs(x.double().numpy()).max() * 2
    assert (error <= HALF_A_UNIT[x.dtype] * np.abs(true) + 3 * 2.0**-24 * norms).all()


def turned_by_a_kernel(x, cos, sin, pairing, out=None):
    """Return what a kernel makes, and fail where the long way would be gone."""
    made = fused.turned(x, cos, sin, pairing, out)
    assert made is not None
    return made


LAYOUTS = {
    "one after the other": (lambda dtype: normal(2, 3, 70, 16, dtype=dtype), (70, 8)),
    "split into heads by a layer": (
        lambda dtype: normal(2, 70, 3, 16, dtype=dtype).transpose(1, 2),
        (70, 8),
    ),
    "a text of its own in each batch": (
        lambda dtype: normal(2, 3, 70, 16, dtype=dtype),
        (2, 1, 70, 8),
    ),
    "one angle for all rows": (lambda dtype: normal(3, 70, 16, dtype=dtype), (1, 8)),
    "some columns stay": (lambda dtype: normal(2, 70, 24, dtype=dtype), (70, 8)),
    "part of a wider array": (lambda dtype: normal(70, 40, dtype=dtype)[:, 4:20], (70, 8)),
    "more pairs than a tile": (lambda dtype: normal(2, 3, 8200, dtype=dtype), (3, 4100)),
    "windows of one long text": (
        lambda dtype: normal(2, 1, 100, 64, dtype=dtype),
        (164, 32),
    ),
    "a single row": (lambda dtype: normal(16, dtype=dtype), (8,)),
    "an odd number of pairs": (lambda dtype: normal(5, 14, dtype=torch.float32), (5, 7)),
}


@pytest.mark.covering(times=2)
@PAIRINGS
@DTYPES
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_turned_as_complex_numbers_are(layout, dtype, pairing):
    make, of_waves = LAYOUTS[layout]
    x, (cos, sin) = make(dtype), waves(*of_waves)
    if len(cos) == 164:  # text b has the angles of tokens 64 b to 64 b + 99
        cos, sin = (wave.unfold(0, 100, 64).transpose(1, 2)[:, None] for wave in (cos, sin))
    assert_rounded_once(turned_by_a_kernel(x, cos, sin, pairing), x, cos, sin, pairing)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(1, 5), max_size=2),
    st.integers(1, 70),
    st.integers(1, 40),
    st.sampled_from([torch.float32, torch.bfloat16]),
    st.sampled_from(["adjacent", "half-split"]),
    st.integers(0, 2**31),
)
def test_any_size_is_turned_and_turned_back(leading, rows, twos, dtype, pairing, seed):
    x, (cos, sin) = normal(*leading, rows, 4 * twos, seed=seed), waves(rows, 2 * twos, seed=seed)
    turned = turned_by_a_kernel(x.to(dtype), cos, sin, pairing)
    assert_rounded_once(turned, x.to(dtype), cos, sin, pairing)
    back = turned_by_a_kernel(turned_by_a_kernel(x, cos, sin, pairing), cos, -sin, pairing)
    torch.testing.assert_close(back, x, rtol=0, atol=4e-6)


@PAIRINGS
@DTYPES
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_makes_the_same_numbers(threads, dtype, pairing):
    x, (cos, sin) = normal(3, 257, 64, dtype=dtype), waves(257, 32)
    expected, before = turned_by_a_kernel(x, cos, sin, pairing), torch.get_num_threads()
    try:
        torch.set_num_threads(threads)
        assert torch.equal(turned_by_a_kernel(x, cos, sin, pairing), expected)
    finally:
        torch.set_num_threads(before)


def test_python_threads_may_turn_at_the_same_time():
    x, (cos, sin) = normal(8, 128, 64), waves(128, 32)
    expected, wrong = turn_pairs(x, cos, sin, pairing="adjacent"), []

    def turn_often():
        for _ in range(50):
            if not torch.equal(turn_pairs(x, cos, sin, pairing="adjacent"), expected):
                wrong.append(1)

    workers = [threading.Thread(target=turn_often) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


@PAIRINGS
@DTYPES
def test_the_result_goes_to_an_array_at_hand_and_torch_is_told(dtype, pairing):
    x, (cos, sin) = normal(2, 5, 8, dtype=dtype), waves(5, 4)
    out = torch.full_like(x, 7)
    version = out._version
    assert turn_pairs(x, cos, sin, pairing=pairing, out=out) is out
    assert torch.equal(out, turned_by_a_kernel(x, cos, sin, pairing))
    assert out._version > version


@PAIRINGS
def test_nan_and_infinity_never_become_finite(pairing):
    x, (cos, sin) = normal(1, 4, 8, dtype=torch.bfloat16), waves(4, 4)
    x[0, 0], x[0, 1] = float("nan"), float("inf")
    cos.view(torch.int32)[2] = -1  # a NaN of ones alone, which rounding would carry over
    sin.view(torch.int32)[3] = 0x7FFFFFFF
    turned = turned_by_a_kernel(x, cos, sin, pairing)
    assert turned[0, [0, 2, 3]].isnan().all()
    assert not turned[0, 1].isfinite().any()


@PAIRINGS
def test_numbers_too_large_for_half_become_infinite_and_ties_go_to_even(pairing):
    largest = torch.finfo(torch.bfloat16).max
    x = torch.full((1, 8), largest, dtype=torch.bfloat16)
    cos, sin = torch.full((1, 4), 1.004), torch.zeros(1, 4)
    assert turned_by_a_kernel(x, cos, sin, pairing).isinf().all()
    ties = torch.tensor([[1 + 2.0**-8, 1 + 3 * 2.0**-8, -1 - 2.0**-8, 2.0**-130]])
    one = torch.ones(1, 8, dtype=torch.bfloat16)
    turned = turned_by_a_kernel(one, ties, torch.zeros(1, 4), pairing)
    columns = slice(0, None, 2) if pairing == "adjacent" else slice(0, 4)
    assert torch.equal(turned[:, columns], ties.to(torch.bfloat16))


X, (COS, SIN) = normal(3, 5, 8), waves(5, 4)
CONJUGATE = torch.polar(torch.ones(5), torch.arange(5.0)).conj()  # its parts are negated lazily


@pytest.mark.parametrize(
    "given",
    [
        (X.half(), COS, SIN),
        (X.double(), COS.double(), SIN.double()),
        (X, COS.double(), SIN.double()),
        (X.numpy(), COS.numpy(), SIN.numpy()),
        (X.clone().requires_grad_(), COS, SIN),
        (X, COS.clone().requires_grad_(), SIN),
        (X[..., ::2], COS[:, :2], SIN[:, :2]),
        (X.mT.contiguous().mT, COS, SIN),
        (normal(1, 1, 1, 5, 8).expand(1, 2, 1, 5, 8), COS, SIN),
        (torch.view_as_complex(normal(5, 8, 2)).conj().imag, COS, SIN),
        (X, COS, torch.view_as_complex(normal(5, 4, 2)).conj().imag),
        (X[..., :2], COS[:, :1], torch.view_as_complex(normal(5, 1, 2)).conj().imag),
        (normal(5, 41, dtype=torch.bfloat16)[:, 1:9], COS, SIN),
        (X[:, :0], COS[:0], SIN[:0]),
        (X, COS[:, :0], SIN[:, :0]),
        (X[..., :0], COS[:, :0], SIN[:, :0]),
        (X[:0], COS, SIN),
        (X[..., :2], *(wave[:, None] for wave in (CONJUGATE.real, CONJUGATE.imag))),
        (torch._neg_view(X), COS, SIN),
        (torch._efficientzerotensor((3, 5, 8)), COS, SIN),
        (X.to("meta"), COS.to("meta"), SIN.to("meta")),
    ],
)
@PAIRINGS
def test_tensors_without_a_kernel_are_computed_without_kernels(given, pairing):
    assert fused.turned(*given, pairing, None) is None
    through = turn_pairs(*given, pairing=pairing)
    fused.stop()
    expected = turn_pairs(*given, pairing=pairing)
    if isinstance(through, np.ndarray):
        np.testing.assert_array_equal(through, expected)
    elif not through.is_meta:
        torch.testing.assert_close(through, expected)


@PAIRINGS
def test_an_output_that_shares_memory_goes_the_long_way(pairing):
    x, (cos, sin) = normal(3, 5, 8), waves(5, 4)
    expected = turned_by_a_kernel(x, cos, sin, pairing)
    assert fused.turned(x, cos, sin, pairing, x) is None
    assert fused.turned(x, cos, sin, pairing, torch.zeros(1).expand(3, 5, 8)) is None
    torch.testing.assert_close(turn_pairs(x, cos, sin, pairing=pairing, out=x), expected)


@pytest.mark.parametrize(
    ("cos", "sin", "out", "argument"),
    [
        (torch.ones(4, 4), torch.ones(4, 4), None, "cos"),
        (torch.ones(5, 5), torch.ones(5, 5), None, "cos"),
        (torch.ones(5, 4), torch.ones(5, 3), None, "sin"),
        (torch.ones(()), torch.ones(()), None, "cos"),
        (COS, SIN, torch.zeros(5, 8), "out"),
        (COS, SIN, torch.zeros(3, 5, 8).half(), "out"),
        (COS, SIN, "out", "out"),
        ("cos", SIN, None, "cos"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name_as_without_kernels(cos, sin, out, argument):
    with pytest.raises(ParameterError) as caught:
        turn_pairs(X, cos, sin, pairing="adjacent", out=out)
    assert caught.value.argument == argument


@PAIRINGS
@DTYPES
@pytest.mark.parametrize("over_itself", [False, True])
def test_heads_after_tokens_are_turned_by_a_kernel_as_they_lie(over_itself, dtype, pairing):
    x, at = normal(2, 70, 3, 16, dtype=dtype), torch.arange(70)
    rope = Rope(head_dim=16, pairing=pairing)
    cos, sin = rope.waves(at, like=x)
    by_kernel = turned_by_a_kernel(x, cos[:, None, :], sin[:, None, :], pairing)
    expected = rope.rotate(x.transpose(1, 2), at).transpose(1, 2)
    turned = rope.rotate(x, at, layout="BLHD", out=x if over_itself else None)
    assert turned.is_contiguous()
    if over_itself:  # the long way, whose last digit is its own
        torch.testing.assert_close(turned, expected)
    else:
        assert torch.equal(turned, by_kernel)
        assert torch.equal(turned, expected)


def test_an_encoding_goes_this_way_by_itself_and_back():
    rope, positions, x = Rope(head_dim=8), torch.arange(5), normal(3, 5, 8)
    by_kernel = rope.rotate(x, positions)
    assert torch.equal(by_kernel, turned_by_a_kernel(x, *rope.waves(positions, like=x), "adjacent"))
    fused.stop()
    assert not fused.in_use()
    assert fused.turned(x, *rope.waves(positions, like=x), "adjacent", None) is None
    torch.testing.assert_close(rope.rotate(x, positions), by_kernel)


@pytest.mark.parametrize("module", ["numba", "llvmlite"])
def test_without_numba_the_error_says_what_to_install(monkeypatch, module):
    for name in [name for name in sys.modules if name.startswith("posenc.fused.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("filling", "turning", "kernels", "team"):
        monkeypatch.delattr(f"posenc.fused.{name}")
    monkeypatch.setitem(sys.modules, module, None)
    fused.stop()
    with pytest.raises(UnavailableError, match=r"pip install 'posenc\[fused\]'"):
        fused.use()
    assert not fused.in_use()
