"""The keys and numbers of the questions that go on from a lesson, computed by the engine."""

import numpy as np
import pytest
from posenc.catalog.nope import NoPE, nope
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal

from quizzes.assessment.numeric_answer import answer_from_json
from tests.content.lesson_text import questions
from tests.content.said import flat

QUESTIONS = questions()


def words_of(slug: str) -> str:
    """Return all that a question says, near misses included."""
    question = QUESTIONS[slug]
    parts = [question.prompt, *(f"{option.text} {option.reason}" for option in question.options)]
    if question.answer:
        answer = answer_from_json(question.answer)
        parts += [answer.reason, *(miss.reason for miss in answer.near)]
    return flat(" ".join(parts))


def value_of(slug: str) -> float:
    return answer_from_json(QUESTIONS[slug].answer).value


def key_of(slug: str) -> str:
    (key,) = [option.text for option in QUESTIONS[slug].options if option.is_key]
    return key


def test_row_belongs_to_its_position() -> None:
    slug = "position-of-a-row"
    row = Sinusoidal(d_model=4).table(8)[int(value_of(slug))]
    assert f"is {', '.join(f'{value:.4f}' for value in row)}." in words_of(slug)
    assert "0.7168 + 6.2832 = 7" in words_of(slug)
    assert np.isclose(np.arcsin(row[0]) + 2 * np.pi, 7)
    assert f"would be {np.sin(0.70):.4f}" in words_of(slug)


def test_wider_table_has_the_old_columns() -> None:
    narrow, wide = Sinusoidal(d_model=8).table(30), Sinusoidal(d_model=16).table(30)
    same = [column for column in range(16) if np.allclose(narrow[:, 2], wide[:, column])]
    assert key_of("column-of-a-wider-table").startswith(f"Column {same[0]},")
    assert len(same) == 1
    assert np.allclose(narrow[:, 0::2], wide[:, 0::4])


def test_slow_columns_leave_what_training_showed() -> None:
    table = Sinusoidal(d_model=8).table(512)
    distance = np.abs(table[64:, None, :] - table[None, :64, :]).min(axis=1).max(axis=0)
    far = np.flatnonzero(distance > 0.1)
    assert key_of("columns-out-of-range").startswith(f"Columns {far[0]} to {far[-1]},")
    assert distance[: far[0]].max() < 0.06
    words = words_of("columns-out-of-range")
    assert (
        f"from 0 to {table[63, 6]:.3f} only. At position 511 it is at {table[511, 6]:.3f}" in words
    )


def test_other_direction_has_the_same_product() -> None:
    slug = "position-with-the-same-product"
    codes = Sinusoidal(d_model=64).table(1000)
    products = codes @ codes[20]
    assert f"the dot product {products[17]:.2f}." in words_of(slug)
    same = np.flatnonzero(np.isclose(products, products[17], atol=1e-6))
    assert same.tolist() == [17, value_of(slug)]


@pytest.mark.parametrize(("power", "words"), [(4, "row 1 as {}"), (1, "would be {}")])
def test_faulty_row_is_that_of_its_exponent(power: int, words: str) -> None:
    angles = 10000.0 ** (-power * np.arange(2) / 4)
    row = np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
    shown = ", ".join(f"{value:.4f}" for value in row) if power == 4 else f"{row[2]:.4f}"
    assert words.format(shown) in words_of("row-of-a-faulty-table")
    assert "so its sine in row 1 is 0.0100" in words_of("row-of-a-faulty-table")


def test_quarter_turn_leads_to_the_score() -> None:
    query, key = np.array([2.0, 0.0]), np.array([0.0, 3.0])
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    assert value_of("rope-quarter-turn") == (turn @ query) @ key == -((turn.T @ query) @ key)
    assert query @ key == 0


def test_values_turned_as_keys_move_the_output() -> None:
    """The weights depend on distances alone, the mean of turned values on positions as well."""
    rope, rng = Rope(head_dim=8), np.random.default_rng(0)
    rows = rng.standard_normal((3, 5, 8))

    def weights_and_outputs(first: int) -> tuple[np.ndarray, np.ndarray]:
        angles = np.outer(np.arange(first, first + 5), rope.inv_freq)
        turned = (rows[..., 0::2] + 1j * rows[..., 1::2]) * np.exp(1j * angles)
        queries, keys, values = turned
        powers = np.exp((queries @ keys.conj().T).real)
        weights = powers / powers.sum(axis=1, keepdims=True)
        return weights, weights @ values

    (weights, outputs), (moved_weights, moved_outputs) = map(weights_and_outputs, (0, 10))
    assert np.allclose(weights, moved_weights)
    assert not np.allclose(outputs, moved_outputs)
    assert key_of("rope-values-turned") == "The weights stay as they are, and the outputs change."


def test_single_pair_repeats_after_a_whole_turn() -> None:
    scores = np.cos(np.deg2rad(60) * np.arange(19))
    assert np.flatnonzero(np.isclose(scores, scores[0])).tolist() == [0, 6, 12, 18]
    assert np.isclose(scores[1], 0.5)
    assert np.isclose(scores[3], -1)
    assert key_of("rope-single-pair").startswith("Those 6, 12, 18 positions away")


def test_shuffled_sums_move_their_outputs() -> None:
    rng = np.random.default_rng(0)
    sums, order = rng.standard_normal((5, 4)), rng.permutation(5)

    def outputs(rows: np.ndarray) -> np.ndarray:
        powers = np.exp(rows @ rows.T)
        return powers @ rows / powers.sum(axis=1, keepdims=True)

    assert np.allclose(outputs(sums[order]), outputs(sums)[order])
    assert key_of("sums-in-another-order").startswith("They only move")


def test_change_depends_on_the_key_with_rope() -> None:
    slug = "panel-with-two-curves"
    compared = nope.views["compare"].compute(NoPE(), only="classic", distances=32)
    assert len(compared.panels) == 6
    pairs = zip(compared.panels, compared.values[::2], compared.values[1::2], strict=True)
    apart = [panel.title for panel, equal, other in pairs if not np.allclose(equal, other)]
    assert apart == [key_of(slug)]


def test_fraction_of_the_length_moves_with_the_text() -> None:
    slug = "divided-by-length"
    words = words_of(slug)
    sums = [np.ones(4) + 1 / length for length in (5, 50)]
    assert not np.allclose(*sums)
    assert f"1/5 = {1 / 5:g} is added in the first text and 1/50 = {1 / 50:g}" in words
    assert key_of(slug) == "Two different vectors, although the position is the same."
