"""KERPLE's logarithmic kernel against the authors' code."""

import numpy as np
from posenc.catalog.kerple import Kerple

from tests.parity.golden_data import load, manifest


def test_the_logarithmic_bias_is_theirs_for_keys_up_to_the_query():
    """Theirs leaves 0 for later keys, which a mask hides; ours falls on both sides."""
    theirs, learned = load("kerple_log")["bias"][0], manifest()["kerple_log"]["params"]
    weights = {name: np.array(learned[name], dtype=float) for name in ("p", "a")}
    positions = np.arange(theirs.shape[-1])
    ours = Kerple(n_heads=len(theirs)).bias(positions, positions, weights)
    np.testing.assert_allclose(np.tril(ours), theirs, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(ours, np.swapaxes(ours, -1, -2))
