"""T5 buckets against three implementations, and the bias against transformers: equal, not near."""

import numpy as np
import pytest
from posenc.catalog.t5_bias import T5Bias

from tests.parity.golden_data import load


@pytest.mark.parametrize(
    "name", ["t5_buckets_hf", "t5_buckets_torchscale", "t5_buckets_flaxformer"]
)
def test_buckets_are_theirs(name):
    theirs = load(name)
    relative = theirs.pop("rel")
    assert theirs
    for key, buckets in theirs.items():
        way, num_buckets, max_distance = key.removeprefix("bucket_").split("_")
        ours = T5Bias(
            num_buckets=int(num_buckets),
            max_distance=int(max_distance),
            bidirectional=way == "bi",
        )
        np.testing.assert_array_equal(ours.buckets(relative), buckets)


def test_the_bias_is_theirs():
    theirs = load("t5_bias_hf")
    ours = T5Bias(n_heads=4)
    positions = np.arange(24)
    bias = ours.bias(positions, positions, {"table": theirs["weight"]})
    np.testing.assert_array_equal(bias[None], theirs["bias"])
