"""What the sinusoidal encoding refuses: by name, with the reason, before anything is allocated."""

import numpy as np
import pytest
import torch
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.errors import ParameterError

pytestmark = pytest.mark.torch

BAD_POSITIONS = {
    "text": "0, 1, 2",
    "a list": [0, 1, 2],
    "a number": 3,
    "no axis": np.array(3),
    "NaN": np.array([0.0, np.nan]),
    "infinite": np.array([np.inf]),
    "minus infinity": np.array([-np.inf, 0.0]),
    "beyond counting": np.array([2.0**60]),
    "true and false": np.array([True, False]),
    "complex": np.array([1j]),
    "objects": np.array([object()]),
    "names": np.array(["a"]),
    "torch NaN": torch.tensor([float("nan")]),
    "torch booleans": torch.tensor([True]),
}


@pytest.mark.parametrize("positions", BAD_POSITIONS.values(), ids=BAD_POSITIONS.keys())
def test_positions_that_are_none_are_refused_by_name(positions):
    with pytest.raises(ParameterError, match=r"^positions=") as caught:
        Sinusoidal(d_model=4).encode(positions)
    assert caught.value.argument == "positions"


BAD_PARAMETERS = [
    ({"d_model": 0}, "d_model=0: must be between 2 and 65536"),
    ({"d_model": 1}, "d_model=1: must be between 2 and 65536"),
    ({"d_model": -4}, "d_model=-4: must be between 2 and 65536"),
    ({"d_model": 10**9}, "d_model=1000000000: must be between 2 and 65536"),
    ({"d_model": 8.0}, "d_model=8.0: must be a whole number"),
    ({"d_model": 7.5}, "d_model=7.5: must be a whole number"),
    ({"d_model": True}, "d_model=True: must be a whole number"),
    ({"d_model": "512"}, "d_model=512: must be a whole number"),
    ({"d_model": None}, "d_model=None: must be a whole number"),
    ({"d_model": np.array([4, 4])}, "must be a whole number"),
    ({"base": 0}, "base=0: must be between 1 and 1e+15"),
    ({"base": -1.0}, "base=-1.0: must be between 1 and 1e+15"),
    ({"base": float("nan")}, "base=nan: must be finite"),
    ({"base": float("inf")}, "base=inf: must be finite"),
    ({"base": 10**400}, "must be finite"),
    ({"base": 10**5000}, "must be finite"),
    ({"base": True}, "base=True: must be a number"),
    ({"base": 1j}, "base=1j: must be a number"),
    ({"grid": "wavy"}, "grid=wavy: must be one of paper, tensor2tensor"),
    ({"layout": 1}, "layout=1: must be one of interleaved, concatenated"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_PARAMETERS)
def test_parameters_that_cannot_be_used_are_refused_with_the_reason(arguments, message):
    with pytest.raises(ParameterError) as caught:
        Sinusoidal(**arguments)
    assert message in str(caught.value)
    assert caught.value.argument == next(iter(arguments))


@pytest.mark.parametrize("length", [-1, 2.0, True, "20", 2**40, 2**15 + 1, None])
def test_a_table_of_no_length_is_refused_before_anything_is_allocated(length):
    with pytest.raises(ParameterError, match=r"^length="):
        Sinusoidal(d_model=65_536).table(length)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"xp": "numpy"}, "xp=numpy: must be numpy or torch, the module itself"),
        ({"xp": None}, "xp=None: must be numpy or torch, the module itself"),
        ({"dtype": int}, "dtype=<class 'int'>: must be a floating-point type of numpy"),
        ({"dtype": "float32", "xp": torch}, "must be a floating-point type of torch"),
    ],
)
def test_a_table_of_no_library_or_of_no_floating_type_is_refused(options, message):
    with pytest.raises(ParameterError) as caught:
        Sinusoidal(d_model=8).table(4, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("x", "positions", "argument"),
    [
        (np.ones((5, 6)), np.arange(5), "x"),
        (np.ones((5, 8), dtype=int), np.arange(5), "x"),
        ("x", np.arange(5), "x"),
        (np.ones((5, 8)), np.arange(4), "positions"),
        (np.ones((5, 8)), np.zeros((3, 5)), "positions"),
        (np.ones((5, 8)), torch.arange(5), "positions"),
        (np.ones(8), np.arange(1), "positions"),
    ],
)
def test_embeddings_that_do_not_fit_are_refused(x, positions, argument):
    with pytest.raises(ParameterError) as caught:
        Sinusoidal(d_model=8).on_embeddings(x, positions, {})
    assert caught.value.argument == argument


@pytest.mark.parametrize("dtype", [np.int32, "float32", bool, torch.float32])
def test_a_dtype_that_holds_no_fractions_is_refused(dtype):
    with pytest.raises(ParameterError, match=r"^dtype="):
        Sinusoidal(d_model=8).table(3, dtype=dtype)
