"""The finished encodings of attention-with-hooks do what the other exercises teach.

Learners copy starters. One that computes an encoding in a way that another exercise calls a mistake
teaches this mistake, so each encoding is compared with the reference of its own exercise.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.shipped_exercises.folders import definition_of

LENGTH, HEAD_DIM = 9, 6
POSITIONS = np.arange(LENGTH)


def names_of(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(source, names)
    return names


def function_of(slug: str) -> Callable[..., Any]:
    definition = definition_of(slug)
    return names_of(definition.reference)[definition.name]


ENCODINGS = names_of(definition_of("attention-with-hooks").starter)["ENCODINGS"]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize("n_heads", range(1, 34))
def test_alibi_has_the_slopes_of_the_exercise(n_heads: int) -> None:
    zeros = np.zeros((1, n_heads, LENGTH, LENGTH))
    added = ENCODINGS["alibi"].on_scores(zeros, None, None, POSITIONS, POSITIONS)
    slopes = function_of("alibi-slopes")(n_heads=n_heads)
    distances = np.abs(POSITIONS[:, None] - POSITIONS)
    np.testing.assert_allclose(added[0], -slopes[:, None, None] * distances)


def test_alibi_has_the_bias_of_the_exercise_where_a_causal_query_sees() -> None:
    zeros = np.zeros((1, 12, LENGTH, LENGTH))
    added = ENCODINGS["alibi"].on_scores(zeros, None, None, POSITIONS, POSITIONS)
    bias = function_of("alibi-bias")(n_heads=12, Lq=LENGTH, Lk=LENGTH)
    np.testing.assert_allclose(np.where(np.isinf(bias), -np.inf, added[0]), bias)


def test_sinusoidal_adds_the_table_of_the_exercise() -> None:
    added = ENCODINGS["sinusoidal"].on_embeddings(np.zeros((1, LENGTH, HEAD_DIM)), POSITIONS)
    np.testing.assert_allclose(added[0], function_of("sinusoidal-table")(n=LENGTH, d=HEAD_DIM))


def test_rope_turns_as_the_exercises_do(rng: np.random.Generator) -> None:
    q, k = rng.standard_normal((2, 1, 2, LENGTH, HEAD_DIM))
    cos, sin = function_of("rope-angles")(n=LENGTH, head_dim=HEAD_DIM)
    turned = ENCODINGS["rope"].on_queries_and_keys(q, k, POSITIONS, POSITIONS)
    for given, found in zip((q, k), turned, strict=True):
        np.testing.assert_allclose(found, function_of("apply-rope")(x=given, cos=cos, sin=sin))


def test_shaw_attends_as_the_exercise_does(rng: np.random.Generator) -> None:
    q, k, v = rng.standard_normal((3, 1, 2, LENGTH, HEAD_DIM))
    shaw = ENCODINGS["shaw"]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(HEAD_DIM)
    weights = np.exp(shaw.on_scores(scores, q, k, POSITIONS, POSITIONS))
    weights /= weights.sum(axis=-1, keepdims=True)
    found = shaw.on_values(weights @ v, weights, POSITIONS, POSITIONS)
    tables = {"key_table": shaw.table(HEAD_DIM, 0.3), "value_table": shaw.table(HEAD_DIM, 0.7)}
    np.testing.assert_allclose(found, function_of("shaw-attention")(q=q, k=k, v=v, **tables))
