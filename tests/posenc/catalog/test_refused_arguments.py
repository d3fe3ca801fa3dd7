"""Encodings refuse parameters and arguments that cannot be used, each by its name."""

import numpy as np
import pytest
from posenc.catalog.cope import CoPE
from posenc.catalog.deberta import Deberta
from posenc.catalog.fire import Fire
from posenc.catalog.kerple import Kerple
from posenc.catalog.learned import Learned
from posenc.catalog.rope_2d import Rope2d
from posenc.catalog.shaw import Shaw
from posenc.catalog.t5_bias import T5Bias
from posenc.catalog.transformer_xl import TransformerXL
from posenc.errors import ParameterError

from tests.posenc.catalog.small import small, trained

NAN, INF = np.array([0.0, np.nan, 1.0]), np.array([0.0, np.inf, 1.0])
PAIR, COLUMN = np.ones(2), np.ones((2, 1))


ALL = (CoPE, Deberta, Fire, Kerple, TransformerXL)
REFUSED = [
    ({"scores": np.zeros((3, 3, 3))}, "scores", (Deberta, Fire, Kerple, TransformerXL)),
    ({"scores": np.zeros((2, 3, 3), dtype=int)}, "scores", (CoPE,)),
    ({"q": np.zeros((2, 3, 7))}, "q", (CoPE, Deberta, TransformerXL)),
    ({"k": np.zeros((2, 3, 7))}, "k", (Deberta,)),
    ({"k": np.zeros((1, 3, 8))}, "k", (TransformerXL,)),
    ({"q_positions": NAN}, "q_positions", (CoPE, Fire, Kerple)),
    ({"q_positions": INF}, "q_positions", (TransformerXL,)),
    ({"q_positions": np.array([0.0, 0.5, 1.0])}, "q_positions", (Deberta,)),
    ({"k_positions": np.arange(2)}, "k_positions", ALL),
    ({"weights": {"table": np.ones((8, 8))}}, 'weights["table"]', (CoPE,)),
    ({"weights": {"c": np.array(0.1)}}, 'weights["multiplier"]', (Fire,)),
    ({"weights": {"c": np.ones(1)}}, 'weights["c"]', (Fire,)),
    ({"weights": {"p": PAIR}}, 'weights["a"]', (Kerple,)),
    ({"weights": {"p": COLUMN, "a": PAIR}}, 'weights["p"]', (Kerple,)),
]


@pytest.mark.parametrize(
    ("encoding_class", "changed", "argument"),
    [(cls, changed, argument) for changed, argument, classes in REFUSED for cls in classes],
)
def test_arguments_that_do_not_fit_are_refused(encoding_class, changed, argument):
    encoding, heads = small(encoding_class), np.zeros((2, 3, 8))
    good = {"scores": np.zeros((2, 3, 3)), "q": heads, "k": heads, "q_positions": np.arange(3)}
    good |= {"k_positions": np.arange(3), "weights": trained(encoding)}
    encoding.on_scores(**good)
    with pytest.raises(ParameterError) as caught:
        encoding.on_scores(**{**good, **changed})
    assert caught.value.argument == argument


UNUSABLE = [
    (CoPE, {"head_dim": 0}, "head_dim=0"),
    (CoPE, {"max_pos": 0}, "max_pos=0"),
    (CoPE, {"max_pos": 1.5}, "whole"),
    (CoPE, {"max_pos": 2**20, "head_dim": 65_536}, "max_pos=1048576: must be at most 32768"),
    (Deberta, {"span": 3}, "span=3: must be between 4 and 1024"),
    (Deberta, {"span": 7}, "span=7: must be even"),
    (Deberta, {"span": 8.5}, "span=8.5: must be a whole number"),
    (Deberta, {"max_distance": 100}, "max_distance=100: must be at least 130 with span=256"),
    (Deberta, {"n_heads": 0}, "n_heads=0"),
    (Deberta, {"d_model": -3}, "d_model=-3"),
    (Deberta, {"d_model": 65_536, "n_heads": 4096}, "d_model=65536: must be at most 8192"),
    (Deberta, {"terms": "c2c"}, "terms=c2c: must be one of both, c2p, p2c"),
    (Deberta, {"p2c_row": "mine"}, "p2c_row=mine: must be one of code, paper"),
    (Fire, {"n_heads": 0}, "n_heads=0"),
    (Fire, {"mlp_width": -1}, "mlp_width=-1"),
    (Fire, {"threshold": 0.5}, "threshold=0.5: must be between 1 and 1000000000"),
    (Fire, {"threshold": float("nan")}, "threshold=nan: must be finite"),
    (Kerple, {"n_heads": 0}, "n_heads=0"),
    (Kerple, {"kernel": "log"}, "kernel=log: must be one of logarithmic"),
    (Learned, {"max_len": 0}, "max_len=0: must be between 1 and 16777216"),
    (Learned, {"max_len": 4.5}, "max_len=4.5: must be a whole number"),
    (Learned, {"max_len": float("nan")}, "max_len=nan: must be a whole number"),
    (Learned, {"d_model": -1}, "d_model=-1"),
    (
        Learned,
        {"max_len": 2**24, "d_model": 65_536},
        "max_len=16777216: must be at most 32768: each needs 65536 learned numbers",
    ),
    (Rope2d, {"time_pairs": -1}, "time_pairs=-1: must be between 0 and 16384"),
    (Rope2d, {"height_pairs": 0}, "height_pairs=0: must be between 1 and 16384"),
    (Rope2d, {"width_pairs": 2.0}, "width_pairs=2.0: must be a whole number"),
    (Rope2d, {"base": 0.0}, "base=0.0: must be between 1"),
    (
        Rope2d,
        {"time_pairs": 1, "height_pairs": 16_384, "width_pairs": 16_384},
        "time_pairs=1: must be at most 0 with 32768 pairs on the other axes",
    ),
    (Rope2d, {"pairing": "pairs"}, "pairing=pairs: must be one of adjacent, half-split"),
    (Shaw, {"head_dim": 0}, "head_dim=0: must be between 1 and 65536"),
    (Shaw, {"clip_distance": -1}, "clip_distance=-1: must be between 0 and 65536"),
    (Shaw, {"clip_distance": 2.5}, "clip_distance=2.5: must be a whole number"),
    (
        Shaw,
        {"head_dim": 65_536, "clip_distance": 65_536},
        "head_dim=65536: must be at most 16383: each needs 131073 learned numbers",
    ),
    (Shaw, {"on_the_values": None}, "on_the_values=None: must be True or False"),
    (T5Bias, {"n_heads": 0}, "n_heads=0: must be between 1 and 4096"),
    (T5Bias, {"num_buckets": 31}, "num_buckets=31: must be even"),
    (T5Bias, {"num_buckets": 2}, "num_buckets=2: must be between 4 and 1024"),
    (T5Bias, {"num_buckets": 10**9}, "num_buckets=1000000000: must be between"),
    (T5Bias, {"max_distance": 8}, "max_distance=8: must be more than the 8 distances"),
    (T5Bias, {"max_distance": float("nan")}, "max_distance=nan: must be a whole number"),
    (T5Bias, {"max_distance": 16, "bidirectional": False}, "the 16 distances"),
    (T5Bias, {"bidirectional": 1}, "bidirectional=1: must be True or False"),
    (TransformerXL, {"d_model": 7}, "d_model=7: must be even"),
    (TransformerXL, {"d_model": 0}, "d_model=0: must be between 2 and 65536"),
    (
        TransformerXL,
        {"d_model": 65_536, "n_heads": 4096},
        "d_model=65536: must be at most 8192: each needs",
    ),
    (TransformerXL, {"n_heads": 0}, "n_heads=0: must be between 1 and 4096"),
    (TransformerXL, {"head_dim": 1.5}, "head_dim=1.5: must be a whole number"),
    (TransformerXL, {"base": float("inf")}, "base=inf: must be finite"),
]


@pytest.mark.parametrize(("encoding_class", "parameters", "message"), UNUSABLE)
def test_parameters_that_cannot_be_used_are_refused(encoding_class, parameters, message):
    with pytest.raises(ParameterError) as caught:
        encoding_class(**parameters)
    assert message in str(caught.value)
    assert caught.value.argument in parameters
