"""CoPE against x-transformers."""

import numpy as np
from posenc.catalog.cope import CoPE

from tests.parity.golden_data import load

FLOAT32 = 5e-6  # their positions are running float32 sums, times products of up to 10


def test_the_added_term_is_theirs():
    theirs = load("cope_xtransformers")
    max_pos, head_dim = theirs["pos_emb"].shape
    ours = CoPE(head_dim=head_dim, max_pos=max_pos)
    positions = np.arange(theirs["logits"].shape[-1])
    unmasked = np.where(np.tril(np.ones_like(theirs["logits"])) > 0, theirs["logits"], 0)
    added = -unmasked + ours.on_scores(
        unmasked, theirs["q"], theirs["q"], positions, positions, {"table": theirs["pos_emb"]}
    )
    np.testing.assert_allclose(added, theirs["out"], rtol=0, atol=FLOAT32)
