"""Tables that a fused kernel writes: against the direct way, and all other tables as they were."""

import numpy as np
import pytest
import torch
from posenc import fused
from posenc.catalog.sinusoidal import Sinusoidal

pytestmark = pytest.mark.torch


@pytest.fixture(autouse=True)
def _in_use():
    fused.use()
    yield
    fused.stop()


def test_a_float32_table_goes_by_the_kernel(monkeypatch):
    asked = []
    kernel = fused.fill
    monkeypatch.setattr(fused, "fill", lambda *given: asked.append(kernel(*given)) or asked[-1])
    Sinusoidal(d_model=64).table(40, xp=torch, dtype=torch.float32)
    Sinusoidal(d_model=64).table(40, xp=np, dtype=np.float32)
    assert asked == [True, False]


@pytest.mark.parametrize("length", [1, 31, 32, 33, 3000])
@pytest.mark.parametrize("d_model", [2, 64, 130])
@pytest.mark.parametrize("start", [0, 999_983])
def test_a_table_is_the_exact_table_rounded(length, d_model, start):
    encoding = Sinusoidal(d_model=d_model)
    table = encoding.table(length, start=start, xp=torch, dtype=torch.float32)
    true = encoding.encode(np.arange(start, start + length))
    assert np.abs(table.double().numpy() - true).max() <= 3.1e-8


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("d_model", [7, 8])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_tables_of_all_kinds_are_as_they_were(layout, d_model, dtype):
    encoding = Sinusoidal(d_model=d_model, layout=layout)
    table = encoding.table(100, xp=torch, dtype=dtype)
    fused.stop()
    expected = encoding.table(100, xp=torch, dtype=dtype)
    torch.testing.assert_close(table, expected, rtol=0, atol=6e-8 if dtype is torch.float32 else 0)
