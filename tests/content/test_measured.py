"""The sentences around the measured table hold for the numbers that were kept."""

import json

import numpy as np
import pytest

from quizzes.lessons.value_functions.measured import EXTRAPOLATION
from tests.content.lesson_text import step

PROGRAM = EXTRAPOLATION.with_suffix(".py").read_text()
FOUND = json.loads(EXTRAPOLATION.read_text())
BY_SEED = {name: np.array(rows) for name, rows in FOUND["losses_by_seed"].items()}


def test_the_numbers_are_those_of_the_program_as_it_stands() -> None:
    training, model = FOUND["training"], FOUND["model"]
    sizes = f"= {training['batch']}, {training['steps']}, 3, {FOUND['judged_bytes'] // 32}"
    assert f"BATCH, STEPS, SEEDS, WINDOWS {sizes}" in PROGRAM
    assert f"TRAINED, LENGTHS, JUDGED = {training['length']}, (64, 128, 256, 512), 32" in PROGRAM
    shape = f"{model['d_model']}, {model['n_heads']}, {model['layers']}"
    assert f"D_MODEL, N_HEADS, LAYERS = {shape}" in PROGRAM
    assert FOUND["lengths"] == [64, 128, 256, 512]


@pytest.mark.parametrize("name", sorted(BY_SEED))
def test_each_row_is_the_middle_of_three_seeds(name: str) -> None:
    assert BY_SEED[name].shape == (3, 4)
    np.testing.assert_array_equal(np.median(BY_SEED[name], axis=0), FOUND["median_losses"][name])
    assert f'encoding="{name}", length=512' in step("longer-texts/measured-here").text


def test_in_every_seed_rope_is_best_as_trained_and_far_beyond_only_sinusoids_are_as_bad() -> None:
    rope, others = BY_SEED["rope"], [BY_SEED[name] for name in ("t5", "alibi", "nope")]
    sinusoidal = BY_SEED["sinusoidal"]
    for other in (sinusoidal, *others):
        assert (rope[:, 0] < other[:, 0]).all()
    for other in others:
        assert (np.minimum(rope, sinusoidal)[:, 3] > other[:, 3]).all()


def test_in_every_seed_alibi_hardly_changes_and_t5_and_nothing_lie_between() -> None:
    rises = {name: rows[:, 3] - rows[:, 0] for name, rows in BY_SEED.items()}
    assert (np.abs(rises["alibi"]) < 0.03).all()
    for between in ("t5", "nope"):
        assert (rises[between] > 0.1).all()
        assert (rises[between] < rises["rope"]).all()


def test_in_every_seed_the_larger_base_undoes_most_of_the_harm_at_twice_the_length() -> None:
    rope = BY_SEED["rope"]
    harm = rope[:, 1] - rope[:, 0]
    by_base, by_division = (
        (rope[:, 1] - BY_SEED[name][:, 1]) / harm for name in ("rope_ntk", "rope_linear")
    )
    assert (by_base > 0.5).all()
    assert (by_division < by_base).all()
    assert (by_division > 0).all()
    for name in ("rope_ntk", "rope_linear"):
        assert (BY_SEED[name][:, 3] - rope[:, 0] > 0.9).all()
