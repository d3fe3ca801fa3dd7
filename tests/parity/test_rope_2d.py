"""M-RoPE against Qwen2-VL's in transformers: text, a film of 2 x 3 x 4 patches, text."""

import numpy as np
from posenc.catalog.rope_2d import Rope2d

from tests.parity.golden_data import load, manifest

FLOAT32 = 2e-6


def test_queries_and_keys_are_turned_as_theirs():
    theirs = load("mrope_qwen2vl")
    time, height, width = manifest()["mrope_qwen2vl"]["params"]["mrope_section"]
    ours = Rope2d(time_pairs=time, height_pairs=height, width_pairs=width)
    at = theirs["position_ids"]
    q, k = ours.on_queries_and_keys(theirs["q"], theirs["k"], at, at, {})
    np.testing.assert_allclose(q, theirs["q_out"], rtol=0, atol=FLOAT32)
    np.testing.assert_allclose(k, theirs["k_out"], rtol=0, atol=FLOAT32)


def test_the_angles_are_theirs():
    """Theirs comes once for each half and for each text of the batch."""
    theirs = load("mrope_qwen2vl")
    ours = Rope2d(time_pairs=2, height_pairs=3, width_pairs=3)
    angles = ours.angles(theirs["position_ids"])[0]
    twice = np.concatenate([angles, angles], axis=-1)
    for text in range(2):
        np.testing.assert_allclose(np.cos(twice), theirs["cos"][text], rtol=0, atol=FLOAT32)
        np.testing.assert_allclose(np.sin(twice), theirs["sin"][text], rtol=0, atol=FLOAT32)


def test_their_numbering_is_in_order():
    at = load("mrope_qwen2vl")["position_ids"]
    order = Rope2d().order(at)
    assert order.shape == at.shape[1:]
    assert (np.diff(order) > 0).all()
