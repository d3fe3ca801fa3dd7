"""How exact everything that turns is: 50 digits, float32 to a million, numpy and torch alike."""

from itertools import product

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.xpos import XPos

pytestmark = pytest.mark.torch

FLOAT64 = 2e-11  # up to position 1e5: the angle itself is rounded there
FLOAT32 = 3.1e-8  # half a unit in the last place below 1.0, and a little
D = 48
SINUSOIDAL = Sinusoidal(d_model=D)
AUTHORS = Sinusoidal(d_model=D, grid="tensor2tensor", layout="concatenated")
ROPE = Rope(head_dim=D, base=500_000.0)
EACH = pytest.mark.parametrize("name", ["paper", "tensor2tensor", "rope"])
LIBRARIES = pytest.mark.parametrize(
    "library", [np.asarray, torch.from_numpy], ids=["numpy", "torch"]
)


def true_waves(name, positions):
    """Oracle: sin and cos of p * base^(-share) with 50 digits, (L, P) each."""
    pairs, base = D // 2, 500_000 if name == "rope" else 10_000
    below = pairs - 1 if name == "tensor2tensor" else pairs
    with mpmath.workdps(50):
        inv_freq = [mpmath.mpf(base) ** (-mpmath.mpf(i) / below) for i in range(pairs)]
        cells = [[mpmath.cos_sin(int(p) * w) for w in inv_freq] for p in positions]
        waves = np.array([[(float(sin), float(cos)) for cos, sin in row] for row in cells])
    return waves[..., 0], waves[..., 1]


def our_waves(name, positions, dtype):
    """Return sines and cosines, (L, P) each, by encoding, or turning unit vectors for RoPE."""
    if name == "rope":
        x = np.broadcast_to(np.resize([1.0, 0.0], D), (len(positions), D)).copy()
        x = torch.from_numpy(x).to(dtype) if torch.is_tensor(positions) else x.astype(dtype)
        turned = np.asarray(ROPE.rotate(x, positions)).astype(np.float64)
        return turned[:, 1::2], turned[:, 0::2]
    code = np.asarray((SINUSOIDAL if name == "paper" else AUTHORS).encode(positions, dtype=dtype))
    return apart(name, code.astype(np.float64))


def apart(name, code):
    return (code[:, 0::2], code[:, 1::2]) if name == "paper" else np.split(code, 2, axis=1)


def spread(farthest, count=12):
    """Return some positions up to the farthest, the ends among them."""
    drawn = np.random.default_rng(farthest).integers(0, farthest, size=count)
    return np.unique([0, *drawn, farthest - 1, farthest])


@EACH
@LIBRARIES
def test_float64_is_within_2e_11_of_50_digits_up_to_position_100_000(name, library):
    positions = spread(100_000)
    dtype = np.float64 if library is np.asarray else torch.float64
    found = our_waves(name, library(positions), dtype)
    np.testing.assert_allclose(found, true_waves(name, positions), rtol=0, atol=FLOAT64)


@EACH
@LIBRARIES
@pytest.mark.parametrize("farthest", [1000, 100_000, 1_000_000])
def test_float32_is_within_half_a_unit_of_50_digits_up_to_a_million(name, library, farthest):
    positions = spread(farthest)
    dtype = np.float32 if library is np.asarray else torch.float32
    found = our_waves(name, library(positions), dtype)
    np.testing.assert_allclose(found, true_waves(name, positions), rtol=0, atol=FLOAT32)


@pytest.mark.parametrize("name", ["paper", "tensor2tensor"])
@pytest.mark.parametrize("xp", [np, torch], ids=["numpy", "torch"])
@pytest.mark.parametrize("farthest", [100_000, 1_000_000])
def test_a_table_is_as_exact_as_its_codes_wherever_it_starts(name, xp, farthest):
    encoding, length = SINUSOIDAL if name == "paper" else AUTHORS, 777
    start, rows = farthest - length + 1, np.array([0, 1, 31, 32, 33, 500, length - 1])
    truth = true_waves(name, start + rows)
    for dtype, most in ((xp.float32, FLOAT32), (xp.float64, FLOAT64 * farthest / 1e5)):
        table = np.asarray(encoding.table(length, start=start, xp=xp, dtype=dtype))
        found = apart(name, table[rows].astype(np.float64))
        np.testing.assert_allclose(found, truth, rtol=0, atol=most)


@pytest.mark.parametrize("start", [0, 99_000])
def test_tables_of_numpy_and_torch_are_within_1e_15_of_each_other_and_near_their_codes(start):
    ours, theirs = (SINUSOIDAL.table(1000, start=start, xp=xp) for xp in (np, torch))
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=0, atol=1e-15)
    codes = SINUSOIDAL.encode(np.arange(start, start + 1000))
    np.testing.assert_allclose(ours, codes, rtol=0, atol=FLOAT64)


@pytest.mark.parametrize("dtype", [np.float16, torch.float16, torch.bfloat16])
def test_a_table_of_half_precision_is_off_by_its_own_rounding_alone(dtype):
    xp, half_a_unit = (np, 2**-12) if dtype is np.float16 else (torch, torch.finfo(dtype).eps / 4)
    table = SINUSOIDAL.table(777, start=5, xp=xp, dtype=dtype)
    found = table.astype(np.float64) if xp is np else table.double().numpy()
    truth = SINUSOIDAL.encode(np.arange(5, 782))
    np.testing.assert_allclose(found, truth, rtol=0, atol=half_a_unit + 3e-7)


@pytest.mark.parametrize("xp", [np, torch], ids=["numpy", "torch"])
@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("d_model", [8, 9])
def test_a_table_of_many_pieces_is_the_table_of_one(monkeypatch, xp, layout, d_model):
    encoding = Sinusoidal(d_model=d_model, layout=layout)
    for length, dtype in product((1, 64, 100, 128), (xp.float32, xp.float64)):
        whole = np.asarray(encoding.table(length, xp=xp, dtype=dtype))
        monkeypatch.setattr("posenc.wave_tables.numbers_at_once", lambda table, size: 1)
        pieces = np.asarray(encoding.table(length, xp=xp, dtype=dtype))
        np.testing.assert_array_equal(pieces, whole)
        monkeypatch.undo()


ANGLES = {
    "sinusoidal": SINUSOIDAL.angles,
    "tensor2tensor": AUTHORS.angles,
    "rope": ROPE.angles,
    "rope, dynamic": lambda p: Rope(head_dim=D, scaling="dynamic-ntk", factor=4).angles(p),
    "rope, yarn": lambda p: Rope(head_dim=D, scaling="yarn", factor=8).angles(p),
    "rope_2d": lambda p: Rope2d().angles(p[None] * p[:3, None] % 9001 + p[None]),
    "xpos": XPos(head_dim=D).rope.angles,
}


@pytest.mark.parametrize("angles", ANGLES.values(), ids=ANGLES.keys())
@given(positions=st.lists(st.integers(0, 10**6), min_size=3, max_size=9))
def test_numpy_and_torch_have_the_same_angles_bit_for_bit(angles, positions):
    ours, theirs = angles(np.array(positions)), angles(torch.tensor(positions))
    assert theirs.dtype == torch.float64
    np.testing.assert_array_equal(theirs.numpy(), ours)
    for ours_waved, theirs_waved in ((np.sin(ours), theirs.sin()), (np.cos(ours), theirs.cos())):
        np.testing.assert_array_max_ulp(ours_waved, theirs_waved.numpy(), maxulp=1)


@given(st.integers(2, 40), st.sampled_from(["paper", "tensor2tensor"]), st.integers(0, 10**6))
def test_codes_of_numpy_and_torch_differ_by_one_unit_in_the_last_place_at_most(
    d_model, grid, first
):
    encoding, positions = Sinusoidal(d_model=d_model, grid=grid), np.arange(first, first + 40)
    ours = encoding.encode(positions)
    theirs = encoding.encode(torch.from_numpy(positions)).numpy()
    np.testing.assert_array_max_ulp(ours, theirs, maxulp=1)
    both = (encoding.table(40, start=first, xp=xp) for xp in (np, torch))
    np.testing.assert_allclose(*(np.asarray(table) for table in both), rtol=0, atol=1e-15)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_float32_waves_of_rope_have_the_same_bits_in_both_libraries_but_for_rare_ties(p, other):
    positions = np.array([p, other])
    ours = ROPE.waves(positions, like=np.ones(1, np.float32))
    theirs = ROPE.waves(torch.from_numpy(positions), like=torch.ones(1))
    for one, two in zip(ours, theirs, strict=True):
        assert one.dtype == np.float32
        assert two.dtype == torch.float32
        np.testing.assert_array_max_ulp(one, two.numpy(), maxulp=1)
