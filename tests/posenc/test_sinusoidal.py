"""The sinusoidal encoding: an oracle written differently, and what the paper promises."""

import cmath
import copy
import math
import pickle

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.registry import REGISTRY
from torch._subclasses.fake_tensor import FakeTensorMode

pytestmark = pytest.mark.torch

D_MODELS = st.integers(2, 40)
EVEN = st.integers(1, 32).map(lambda pairs: 2 * pairs)
BASES = st.floats(2.0, 1e6)
GRIDS = st.sampled_from(["paper", "tensor2tensor"])
LAYOUTS = st.sampled_from(["interleaved", "concatenated"])


def code_by_complex_numbers(p, d_model, base, grid, layout):
    """Oracle: turn a unit vector once for each pair, in Python's complex numbers, cell by cell."""
    pairs = math.ceil(d_model / 2) if grid == "paper" else d_model // 2
    turned = []
    for i in range(pairs):
        slowness = 2 * i / d_model if grid == "paper" else i / max(pairs - 1, 1)
        turned.append(cmath.rect(1.0, p * math.exp(-slowness * math.log(base))))
    sines, cosines = [z.imag for z in turned], [z.real for z in turned][: d_model // 2]
    if layout == "concatenated":
        code = sines + cosines
    else:
        code = [x for i in range(pairs) for x in (sines[i : i + 1] + cosines[i : i + 1])]
    return code + [0.0] * (d_model - len(code))


@given(D_MODELS, BASES, GRIDS, LAYOUTS, st.lists(st.integers(0, 2000), min_size=1, max_size=5))
def test_agrees_with_the_complex_number_oracle(d_model, base, grid, layout, positions):
    encoding = Sinusoidal(d_model=d_model, base=base, grid=grid, layout=layout)
    expected = [code_by_complex_numbers(p, d_model, base, grid, layout) for p in positions]
    actual = encoding.encode(np.array(positions))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=2e-11)


@given(D_MODELS, BASES, GRIDS, LAYOUTS, st.integers(0, 300))
def test_the_table_by_angle_addition_is_the_code_of_each_position(
    d_model, base, grid, layout, length
):
    encoding = Sinusoidal(d_model=d_model, base=base, grid=grid, layout=layout)
    direct = encoding.encode(np.arange(length))
    np.testing.assert_allclose(encoding.table(length), direct, rtol=0, atol=1e-12)


@given(D_MODELS, st.integers(0, 10**6), st.integers(0, 300))
def test_a_table_may_start_anywhere(d_model, start, length):
    encoding = Sinusoidal(d_model=d_model)
    direct = encoding.encode(np.arange(start, start + length))
    np.testing.assert_allclose(encoding.table(length, start=start), direct, rtol=0, atol=5e-10)


def test_the_dot_product_view_finds_the_numbers_of_the_course():
    """COURSE numbers for d=512: 256, 249, 232, 190, 174, 131, 112, 45; first larger at k = 44."""
    data = (
        REGISTRY["sinusoidal"]
        .views["dot-products"]
        .compute(Sinusoidal(d_model=512), offsets=1000, position=3)
    )
    expected = [256, 249, 232, 190, 174, 131, 112, 45]
    assert data.values[0, [0, 1, 2, 5, 10, 50, 100, 1000]] == pytest.approx(expected, abs=0.51)
    assert data.summary["rises_at"] == 44
    assert "first rises at offset 44" in data.finding
    assert np.sum(np.diff(data.values[0, :200]) > 0) == 54


@given(EVEN, BASES, st.floats(0, 1e5))
def test_the_squared_norm_is_half_of_d_model(d_model, base, position):
    code = Sinusoidal(d_model=d_model, base=base).encode(np.array([position]))
    assert np.sum(code**2) == pytest.approx(d_model / 2, rel=1e-14)


@given(EVEN, st.integers(0, 5000), st.integers(-500, 500))
def test_a_shift_is_one_rotation_whatever_the_position(d_model, position, shift):
    encoding = Sinusoidal(d_model=d_model)
    here, there = encoding.encode(np.array([position, position + shift]))
    cos, sin = np.cos(shift * encoding.inv_freq), np.sin(shift * encoding.inv_freq)
    moved = np.empty(d_model)
    moved[0::2] = here[0::2] * cos + here[1::2] * sin
    moved[1::2] = here[1::2] * cos - here[0::2] * sin
    np.testing.assert_allclose(there, moved, rtol=0, atol=4e-12)


@given(EVEN, st.integers(0, 5000), st.integers(0, 5000), st.integers(1, 300))
def test_the_dot_product_depends_on_the_offset_alone_and_is_even_in_it(d_model, p, other, offset):
    encoding = Sinusoidal(d_model=d_model)
    codes = encoding.encode(np.array([p, p + offset, other, other + offset]))
    near, far = codes[0] @ codes[1], codes[2] @ codes[3]
    assert near == pytest.approx(far, abs=1e-10)
    assert near == pytest.approx(np.sum(np.cos(-offset * encoding.inv_freq)), abs=1e-10)


def test_no_two_of_ten_thousand_positions_share_a_code():
    """COURSE number: with d=64 and base 100 the closest two of 10 000 codes are 1.95 apart."""
    codes = Sinusoidal(d_model=64, base=100.0).table(10_000)
    closest = math.inf
    for start in range(0, 10_000, 1000):
        products = codes[start : start + 1000] @ codes.T
        products[np.arange(1000), np.arange(start, start + 1000)] = -math.inf
        closest = min(closest, math.sqrt(64 - 2 * products.max()))
    assert closest == pytest.approx(1.95, abs=0.01)


def test_wavelengths_of_the_course():
    fifty = Sinusoidal(d_model=50).wavelengths
    assert fifty[[3, 6, 24]] == pytest.approx([18.97, 57.30, 43_469], rel=3e-4)
    wide = Sinusoidal(d_model=512).wavelengths
    assert wide[[0, 1, 255]] == pytest.approx([6.28, 6.51, 60_611], rel=1e-3)
    authors = Sinusoidal(d_model=512, grid="tensor2tensor").wavelengths
    assert authors[-1] == pytest.approx(2 * np.pi * 10_000, rel=1e-12)


def test_the_rows_of_the_course():
    rows = Sinusoidal(d_model=4).table(3)
    by_hand = [
        [0, 1, 0, 1],
        [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)],
        [math.sin(2), math.cos(2), math.sin(0.02), math.cos(0.02)],
    ]
    np.testing.assert_allclose(rows, by_hand, rtol=0, atol=1e-15)


def test_the_dot_products_of_the_course():
    codes = Sinusoidal(d_model=128).encode(np.array([7, 7, 8, 9, 12, 17, 27]))
    expected = [64, 62.1, 57.4, 47.2, 42.8, 38.9]
    assert codes[1:] @ codes[0] == pytest.approx(expected, abs=0.05)


def test_fractional_and_batched_positions():
    encoding = Sinusoidal(d_model=6)
    halves = np.array([[0.0, 0.5], [1.0, 1.5]])
    code = encoding.encode(halves)
    assert code.shape == (2, 2, 6)
    np.testing.assert_allclose(code[0, 1, :2], [math.sin(0.5), math.cos(0.5)], rtol=1e-15)
    np.testing.assert_array_equal(code[1], encoding.encode(halves[1]))
    assert encoding.encode(np.arange(0)).shape == (0, 6)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64, np.float16, np.float32])
def test_positions_of_every_kind_of_number(dtype):
    encoding, positions = Sinusoidal(d_model=6), np.arange(100)
    given_so = encoding.encode(positions.astype(dtype))
    np.testing.assert_array_equal(given_so, encoding.encode(positions))


def test_on_embeddings_adds_in_the_dtype_of_the_embeddings():
    encoding, positions = Sinusoidal(d_model=8), np.arange(5)
    x = np.ones((2, 5, 8), dtype=np.float32)
    out = encoding.on_embeddings(x, positions, {})
    assert out.dtype == np.float32
    np.testing.assert_allclose(out[1], 1 + encoding.table(5), rtol=0, atol=2e-7)
    half = torch.ones(5, 8, dtype=torch.bfloat16)
    assert encoding.on_embeddings(half, torch.arange(5), {}).dtype == torch.bfloat16


def test_a_device_without_float64_has_its_angles_on_the_cpu(monkeypatch):
    moved = []

    def to_cpu(array, device):
        moved.append(device)
        return array

    monkeypatch.setattr("posenc.positions.WITHOUT_FLOAT64", {"cpu"})  # none is here: stand in
    monkeypatch.setattr("posenc.positions.to_device", to_cpu)
    Sinusoidal(d_model=4).encode(torch.arange(3))
    assert moved == ["cpu"]


@pytest.mark.filterwarnings("ignore:Dynamo detected a call", "ignore:Accessing the data pointer")
def test_a_traced_table_leaves_nothing_behind_in_later_tables():
    """Rows are kept for the next table: not those without numbers, nor those of a trace."""
    encoding = Sinusoidal(d_model=8)

    def table(length=40):
        return encoding.table(length, xp=torch, dtype=torch.float32)

    for _ in range(2):
        with FakeTensorMode():
            assert table().shape == (40, 8)
    compiled = torch.compile(lambda x: x + table(5), backend="eager")
    expected = encoding.encode(torch.arange(40)).float()
    torch.testing.assert_close(compiled(torch.zeros(5, 8)), expected[:5])
    with torch.device("meta"):
        assert table().device.type == "meta"
    with torch.inference_mode():
        torch.testing.assert_close(table(), expected)
    for one in (encoding, copy.deepcopy(encoding), pickle.loads(pickle.dumps(encoding))):
        made = one.table(40, xp=torch, dtype=torch.float32)
        torch.testing.assert_close(made, expected)
        weight = torch.ones(8, requires_grad=True)
        (weight * made).sum().backward()
        torch.testing.assert_close(weight.grad, expected.sum(dim=0))
