"""Shaw's vectors on the key side against Wav2Vec2-BERT, a whole attention layer."""

import numpy as np
from posenc.attention import attention
from posenc.catalog.shaw import Shaw

from tests.parity.golden_data import load, manifest

FLOAT32 = 5e-7


def test_agrees_with_wav2vec2_bert():
    theirs = load("shaw_wav2vec2bert")
    clips = manifest()["shaw_wav2vec2bert"]["params"]
    x, n_heads, head_dim = theirs["x"], clips["heads"], 8

    def projected(name):
        y = x @ theirs[f"p_linear_{name}_weight"].T + theirs[f"p_linear_{name}_bias"]
        return np.moveaxis(y.reshape(1, -1, n_heads, head_dim), 1, 2)

    # theirs clips 4 to the left and 2 to the right; rows +3 and +4 of ours repeat row +2
    table = theirs["p_distance_embedding_weight"]
    beyond = np.repeat(table[-1:], clips["left"] - clips["right"], axis=0)
    ours = Shaw(head_dim=head_dim, clip_distance=clips["left"], on_the_values=False)
    positions = np.arange(x.shape[1])
    mixed = attention(
        *map(projected, "qkv"),
        encoding=ours,
        q_positions=positions,
        k_positions=positions,
        weights={"keys": np.concatenate([table, beyond])},
    )
    together = np.moveaxis(mixed, 1, 2).reshape(x.shape)
    out = together @ theirs["p_linear_out_weight"].T + theirs["p_linear_out_bias"]
    np.testing.assert_allclose(out, theirs["out"], rtol=0, atol=FLOAT32)
