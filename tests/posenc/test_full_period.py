"""45 000 positions in one picture: each row is the mean of its positions, in closed form."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.sinusoidal.full_period import row_means
from posenc.registry import REGISTRY

D_MODELS = st.integers(2, 40)
GRIDS = st.sampled_from(["paper", "tensor2tensor"])
LAYOUTS = st.sampled_from(["interleaved", "concatenated"])


@given(
    D_MODELS,
    GRIDS,
    LAYOUTS,
    st.floats(1.5, 1e5),
    st.integers(1, 700),
    st.integers(1, 90),
)
def test_row_means_in_closed_form_are_the_means_of_the_table(
    d_model, grid, layout, base, positions, behind
):
    encoding = Sinusoidal(d_model=d_model, base=base, grid=grid, layout=layout)
    table = encoding.table(positions)
    by_hand = [table[start : start + behind].mean(axis=0) for start in range(0, positions, behind)]
    means = row_means(encoding, positions, behind)
    np.testing.assert_allclose(means, by_hand, rtol=0, atol=2e-12)


def test_the_full_period_says_how_many_positions_are_behind_a_row_and_which_pairs_cannot_show():
    data = REGISTRY["sinusoidal"].views["full-period"].compute(Sinusoidal(d_model=50))
    assert data.values.shape == (672, 50)
    assert "67 positions behind every row" in data.subtitle
    wavelengths = Sinusoidal(d_model=50).wavelengths
    hidden = int(np.sum(wavelengths < 2 * 67))
    assert data.finding.startswith(f"Pairs 0 to {hidden - 1} turn in less than two rows")
    assert np.abs(data.values[:, : 2 * (hidden - 3)]).max() < 0.3
    assert np.abs(data.values[:, 40:]).max() > 0.97
