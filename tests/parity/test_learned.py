"""The learned table against BART and GPT-2."""

import numpy as np
from posenc.catalog.learned import Learned

from tests.parity.golden_data import load


def test_gpt2_reads_row_p_for_position_p():
    theirs = load("learned_gpt2")
    max_len, d_model = theirs["weight"].shape
    ours = Learned(max_len=max_len, d_model=d_model)
    nothing = np.zeros((32, d_model), dtype=np.float32)
    out = ours.on_embeddings(nothing, np.arange(32), {"table": theirs["weight"]})
    np.testing.assert_array_equal(out, theirs["out"])


def test_bart_reads_row_p_plus_2():
    theirs = load("learned_bart")
    table = theirs["weight"][2:]
    ours = Learned(max_len=len(table), d_model=table.shape[1])
    nothing = np.zeros((2, 32, table.shape[1]), dtype=np.float32)
    out = ours.on_embeddings(nothing, np.arange(32), {"table": table})
    np.testing.assert_array_equal(out, theirs["out"])
