"""Probes for lengths, distances, rows and order, on code that has the property and that has not."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.grader.inside.probed import Table, X, changed, seen

pytestmark = pytest.mark.torch

pytestmark = pytest.mark.torch


def rotate(x: Any, pairs: slice | None = None, speed: float = 0.7) -> Any:
    angle = speed * np.arange(x.shape[-2])[:, None] * np.array([1.0, 0.1])
    a, b = x[..., 0::2], x[..., 1::2]
    turned = np.empty_like(x)
    turned[..., 0::2] = a * np.cos(angle) - b * np.sin(angle)
    turned[..., 1::2] = a * np.sin(angle) + b * np.cos(angle)
    return turned


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_rotations_keep_lengths_and_scores(library: str) -> None:
    def turn(x: Any) -> Any:
        return rotate(x) if library == "numpy" else torch.from_numpy(rotate(x.numpy()))

    assert seen(turn, "norm_change", library)["fact.norm_kept"] == 1
    scores = seen(turn, "relative_scores", library)
    assert (scores["fact.offset_only"], scores["fact.distance_matters"]) == (1, 1)
    assert scores["seen.offset_only"] < 1e-5


@pytest.mark.parametrize(("factor", "kept"), [(1, 1), (2, 0)])
def test_lengths_of_queries_and_keys_are_looked_at_together(factor: int, kept: int) -> None:
    def turn(q: Any, k: Any) -> Any:
        return rotate(q), factor * rotate(k)

    pair = {"q": X, "k": X[:, :1]}
    assert seen(turn, "norm_change", "numpy", kwargs=pair)["fact.norm_kept"] == kept
    assert "fact.norm_kept" not in seen(lambda q, k: q, "norm_change", "numpy", kwargs=pair)


@pytest.mark.parametrize(
    ("wrong", "kept", "offset", "matters"),
    [
        (lambda x: x.copy(), 1, 1, 0),
        (lambda x: rotate(x)[..., ::-1].copy(), 1, 1, 1),
        (lambda x: 2 * rotate(x), 0, 1, 1),
        (lambda x: x + np.sin(np.arange(x.shape[-2]))[:, None].astype(x.dtype), 0, 0, 1),
        (lambda x: x * np.cos(np.arange(x.shape[-2]))[:, None].astype(x.dtype), 0, 0, 1),
    ],
)
def test_what_is_no_rotation_is_seen(wrong: Any, kept: int, offset: int, matters: int) -> None:
    assert seen(wrong, "norm_change", "numpy")["fact.norm_kept"] == kept
    scores = seen(wrong, "relative_scores", "numpy")
    assert scores["fact.offset_only"] == offset
    assert scores["fact.distance_matters"] == matters


def test_queries_and_fewer_keys_are_called_together() -> None:
    kwargs = {"q": X, "k": X[:, :1], "offset": 3}
    both = seen(lambda q, k, offset: (rotate(q), rotate(k)), "relative_scores", "numpy",
                kwargs=kwargs)  # fmt: skip
    assert (both["fact.offset_only"], both["fact.distance_matters"]) == (1, 1)
    one = seen(lambda q, k, offset: (rotate(q), k), "relative_scores", "numpy", kwargs=kwargs)
    assert one["fact.offset_only"] == 0
    assert "out" in seen(lambda q, k, offset: q, "relative_scores", "numpy", kwargs=kwargs)


def test_a_matrix_keeps_lengths_or_does_not() -> None:
    def made(matrix: Any) -> dict[str, Any]:
        return seen(lambda angle: matrix, "norm_change", "numpy", kwargs={"angle": 1.0})

    turn = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    assert made(turn)["fact.norm_kept"] == made(turn.T)["fact.norm_kept"] == 1
    assert made(np.abs(turn))["fact.norm_kept"] == 0
    assert made(2 * turn)["seen.norm_kept"] == pytest.approx(1)
    for nothing in (turn[:1], turn[0], turn * np.nan, [1.0]):
        assert "fact.norm_kept" not in made(nothing)


LOWER = np.tril(np.ones((3, 3)))


@pytest.mark.parametrize(
    ("bias", "offset", "matters"),
    [
        (np.subtract.outer(np.arange(3.0), np.arange(5.0)), 1, 1),
        (np.where(LOWER > 0, -np.abs(np.subtract.outer(range(3), range(3))), -np.inf), 1, 1),
        (np.multiply.outer(np.arange(3.0), np.arange(5.0)), 0, 1),
        (np.ones((2, 3, 3)), 1, 0),
        (np.where(np.eye(3) > 0, np.arange(3.0), -np.inf), 0, 0),
        (np.full((3, 3), np.nan), 0, 0),
        (np.full((3, 3), -np.inf), 0, 0),
    ],
)
def test_a_bias_is_looked_at_by_distance(bias: Any, offset: int, matters: int) -> None:
    got = seen(lambda n: bias, "relative_scores", "numpy", kwargs={"n": 3})
    assert (got["fact.bias_by_distance"], got["fact.distance_matters"]) == (offset, matters)


def test_a_bias_leaves_later_keys_no_weight() -> None:
    def made(bias: Any) -> dict[str, Any]:
        return seen(lambda n: bias, "causal", "numpy", kwargs={"n": 3})

    with np.errstate(divide="ignore"):
        masked = np.log(np.tri(3, 5, 2))  # three queries that are the last of five
    right = made(np.stack([masked, masked * 2]))
    assert (right["fact.causal"], right["seen.causal"]) == (1, 0)
    assert made(np.maximum(masked, -1e9))["fact.causal"] == 1
    seeing = made(np.zeros((2, 4)))
    assert (seeing["fact.causal"], seeing["seen.causal"]) == (0, pytest.approx(1 / 4))
    for nothing in (masked.T, masked[0], masked + np.nan, np.full((2, 2), -np.inf)):
        assert "fact.causal" not in made(nothing)


def test_rows_far_apart_are_compared_too() -> None:
    def closest(table: Any) -> tuple[float, float | None]:
        got = seen(lambda n: table, "rows_unique", "numpy", kwargs={"n": 3})
        return got["fact.rows_unique"], got.get("seen.rows_unique")

    rows = np.random.default_rng(4).normal(size=(700, 6))
    later = (rows[at:] - rows[at - 1] for at in range(1, 700))
    nearest = min(float(np.linalg.norm(steps, axis=1).min()) for steps in later)
    unique, distance = closest(rows)
    assert unique == 1
    assert distance == pytest.approx(nearest)
    for first, second in ((0, 699), (3, 4), (690, 2)):
        table = rows.copy()
        table[first] = table[second]
        assert closest(table) == (0, 0)
    rows[350, 2] = np.nan
    assert closest(rows) == (0, None)
    assert closest(rows[:1]) == (1, None)


def test_rows_and_the_future() -> None:
    assert seen(Table, "rows_unique", kwargs={"x": np.zeros((1, 6, 4), "f4")})["fact.rows_unique"]
    same = changed(forward=lambda self, x: x * 0 + self.rows[:1])
    got = seen(same, "rows_unique")
    assert (got["fact.rows_unique"], got["seen.rows_unique"]) == (0, 0)
    assert seen(Table, "causal")["fact.causal"] == 1
    mixing = changed(forward=lambda self, x: x.mean(1, keepdim=True) + x)
    assert seen(mixing, "causal")["fact.causal"] == 0
