"""DeBERTa: buckets against 50-digit logarithms, scores against equation 4 pair by pair."""

import math
from decimal import ROUND_CEILING, Decimal, localcontext

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from posenc.attention import attention
from posenc.catalog.deberta import Deberta, deberta

from tests.posenc.catalog.small import draw_layer, small, trained

pytestmark = pytest.mark.torch

SPANS = st.integers(2, 20).map(lambda half: 2 * half)
ABOVE = st.integers(0, 3000)


def bucket_by_logarithms(difference, span, max_distance):
    """Oracle: the formula of the authors' code in 50 digits; 1e-40 is for whole logarithms."""
    half, distance = span // 2, abs(difference)
    if distance > half:
        with localcontext() as context:
            context.prec = 50
            share = (Decimal(distance) / half).ln() / (Decimal(max_distance - 1) / half).ln()
            steps = share * (half - 1) - Decimal(10) ** -40
            distance = half + int(steps.to_integral_value(ROUND_CEILING))
    return int(math.copysign(min(distance, span), difference))


@given(SPANS, ABOVE, st.lists(st.integers(-4000, 4000), min_size=1, max_size=9))
def test_buckets_agree_with_logarithms(span, above, difference):
    farthest = span // 2 + 2 + above
    encoding = Deberta(span=span, max_distance=farthest)
    expected = [bucket_by_logarithms(one, span, farthest) for one in difference]
    assert encoding.buckets(np.array(difference)).tolist() == expected
    assert encoding.buckets(torch.tensor(difference)).tolist() == expected


@given(SPANS, ABOVE, st.booleans())
def test_buckets_are_odd_and_never_fall(span, above, logarithmic):
    encoding = Deberta(span=span, max_distance=span + 2 + above, log_buckets=logarithmic)
    difference = np.arange(-span - above - 5, span + above + 6)
    buckets, rows = encoding.buckets(difference), encoding.rows(difference)
    assert (np.diff(buckets) >= 0).all()
    np.testing.assert_array_equal(buckets, -buckets[::-1])
    assert (rows[0], rows[-1]) == (0, 2 * span - 1)
    near = np.abs(difference) < span // 2
    np.testing.assert_array_equal(buckets[near], difference[near])


def scores_by_equation(q, k, at, weights, encoding):
    """Oracle: eq. 4 as written, with delta of eq. 3, one pair after the other."""
    heads, _, D = q.shape

    def row(i, j):
        bucket = encoding.buckets(np.array([at[i] - at[j]]))[0]
        return min(max(bucket + encoding.span, 0), 2 * encoding.span - 1)

    def projected(name):
        if f"{name}_projection" not in weights:
            return np.zeros((2 * encoding.span, heads, D))
        flat = weights["table"] @ weights[f"{name}_projection"] + weights[f"{name}_bias"]
        return flat.reshape(-1, heads, D)

    K_r, Q_r = projected("key"), projected("query")
    scores, terms = np.zeros((heads, len(at), len(at))), 1 + len(weights) // 2
    for h in range(heads):
        for i in range(len(at)):
            for j in range(len(at)):
                met = row(j, i) if encoding.p2c_row == "paper" else row(i, j)
                total = q[h, i] @ k[h, j] + q[h, i] @ K_r[row(i, j), h] + k[h, j] @ Q_r[met, h]
                scores[h, i, j] = total / math.sqrt(terms * D)
    return scores


POSITIONS = st.one_of(
    st.just(np.arange(5)), st.lists(st.integers(-40, 40), min_size=5, max_size=5).map(np.array)
)


@pytest.mark.slow
@given(
    POSITIONS,
    st.sampled_from(["both", "c2p", "p2c"]),
    st.sampled_from(["code", "paper"]),
    st.booleans(),
)
def test_agrees_with_equation_4(at, terms, p2c_row, logarithmic):
    encoding = Deberta(
        n_heads=2,
        head_dim=3,
        d_model=7,
        span=4,
        max_distance=20,
        terms=terms,
        p2c_row=p2c_row,
        log_buckets=logarithmic,
    )
    weights = trained(encoding)
    q, k = np.random.default_rng(0).normal(size=(2, 2, 5, 3))
    content = q @ np.swapaxes(k, -1, -2) / math.sqrt(3)
    actual = encoding.on_scores(content, q, k, at, at, weights)
    expected = scores_by_equation(q, k, at, weights, encoding)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-12)


@given(st.integers(-1000, 1000))
def test_only_relative_positions_matter(shift):
    encoding, (_, q, k, v) = small(Deberta, span=8, max_distance=32), draw_layer(6)
    options, at = {"encoding": encoding, "weights": trained(encoding)}, np.arange(6)
    here = attention(q, k, v, q_positions=at, k_positions=at, **options)
    there = attention(q, k, v, q_positions=at + shift, k_positions=at + shift, **options)
    np.testing.assert_array_equal(here, there)


def test_its_facts():
    assert Deberta.hooks() == ("on_scores",)
    base, projection = Deberta(), 768 * 768 + 768
    assert base.parameter_count() == 512 * 768 + 2 * projection
    assert Deberta(terms="c2p").parameter_count() == 512 * 768 + projection
    assert Deberta.extrapolates


def test_the_view_says_where_the_rows_are_shared():
    data = deberta.views["staircase"].compute(Deberta(), reach=520)
    rows = dict(zip(data.x.values.tolist(), data.values[0].tolist(), strict=True))
    assert [rows[at] for at in (-512, -511, 505, 506, 520)] == [0, 1, 510, 511, 511]
    assert data.finding == (
        "Distances 0 to 130 have a row each; earlier keys from distance 506 on share row 511,"
        " later ones from 512 on row 0."
    )


@given(SPANS, st.integers(0, 60), st.booleans())
def test_as_many_distances_have_a_row_each_as_the_view_says(span, above, logarithmic):
    farthest = span // 2 + 2 + above
    encoding = Deberta(span=span, max_distance=farthest, log_buckets=logarithmic)
    reach = max(span, farthest) + 2
    rows = encoding.rows(np.arange(-reach, reach + 1)).tolist()
    near, rows_of = 0, dict(zip(range(-reach, reach + 1), rows, strict=True))
    while all(rows.count(rows_of[one]) == 1 for one in (near, -near)):
        near += 1
    data = deberta.views["staircase"].compute(encoding, reach=20)
    assert data.summary["own_row_up_to"] == near - 1
    first_shared = next(one for one in range(reach) if rows_of[one] == 2 * span - 1)
    assert data.finding == (
        f"Distances 0 to {near - 1} have a row each; earlier keys from distance {first_shared} on"
        f" share row {2 * span - 1}, later ones from"
        f" {next(one for one in range(reach) if rows_of[-one] == 0)} on row 0."
    )


def test_without_logarithms_the_longest_distance_is_not_spoken_of():
    data = deberta.views["staircase"].compute(Deberta(span=8, log_buckets=False), reach=12)
    assert data.subtitle == "16 rows."
    assert data.finding.startswith("Distances 0 to 6 have a row each; earlier keys from distance 7")
