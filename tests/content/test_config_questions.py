"""The questions and predictions of "Reading a config": each number computed by the engine."""

import numpy as np
import pytest
from posenc.catalog.rope import Rope
from posenc.configs import read_config

from tests.content.lesson_text import questions, step
from tests.content.numbers_reading_a_config import FILES, score

QUESTIONS = questions()
HEAD = 128


def rope(base: float, **numbers: object) -> Rope:
    return Rope(head_dim=HEAD, base=base, **numbers)  # type: ignore[arg-type]


def round_in(base: float, length: int) -> int:
    """Count the pairs that make a whole turn within a text."""
    return int((rope(base).inv_freq * length >= 2 * np.pi).sum())


def says(name: str, words: str) -> bool:
    return words in " ".join(step(f"reading-a-config/{name}").text.split())


def test_smaller_base_turns_more_pairs() -> None:
    assert says("fields", f"More than {round_in(500_000, 8192)}")
    assert says("fields", f"now {round_in(10_000, 8192)} of 64 go round")


def test_scores_of_two_bases_part() -> None:
    assert says(
        "spellings",
        f"at distance 1000 the score is {score(10_000, 1000):.2f} and not"
        f" {score(500_000, 1000):.2f}.",
    )
    near = f"{score(500_000, 1):.2f} with the base of the file and {score(10_000, 1):.2f}"
    assert says("unread", f"The score is {near} with the wrong one.")
    far = f"{score(500_000, 1000):.2f} and {score(10_000, 1000):.2f}"
    assert says("unread", f"At 1000 it is {far}.")
    assert score(500_000, 1) - score(10_000, 1) == pytest.approx(0.01, abs=0.003)
    assert score(500_000, 1000) - score(10_000, 1000) == pytest.approx(0.3, abs=0.05)


def test_sliding_layer_with_the_base_of_full_ones() -> None:
    assert says(
        "layers",
        f"at distance 1000 the score is {score(1_000_000, 1000):.2f} and not"
        f" {score(10_000, 1000):.2f}.",
    )
    assert score(1_000_000, 20) - score(10_000, 20) > 0.1
    assert (rope(1_000_000).inv_freq[1:] < rope(10_000).inv_freq[1:]).all()


def test_llama3_leaves_no_new_angles() -> None:
    slow = rope(500_000).inv_freq * 8192 < 2 * np.pi
    scaled = rope(500_000, scaling="llama3", factor=8.0, trained_length=8192)
    assert says("scaling", f"Without scaling, {slow.sum()} pairs meet new angles.")
    reached, trained = scaled.inv_freq[slow] * 32_767, rope(500_000).inv_freq[slow] * 8191
    assert (reached <= trained).all()
    fast = rope(500_000).inv_freq * 8192 > 4 * 2 * np.pi
    np.testing.assert_allclose(scaled.inv_freq[fast], rope(500_000).inv_freq[fast], rtol=1e-12)


def test_frequencies_tell_a_wrong_base() -> None:
    ratio = rope(10_000).inv_freq / rope(500_000).inv_freq
    (key,) = [option for option in QUESTIONS["test-of-a-base"].options if option.is_key]
    assert key.reason.startswith(f"{(ratio > 1.001).sum()} of 64 differ, the last by a factor of")
    assert f"{ratio[-1]:.0f}." in key.reason


def test_files_have_the_flags_and_the_factor() -> None:
    smollm = read_config(FILES["SmolLM3-3B"])
    turning = [layer for layer, place in enumerate(smollm.layers) if len(place.inv_freq())]
    assert turning[:4] == [0, 1, 2, 4]
    gemma = read_config(FILES["Gemma 3 12B"])
    local, full = gemma.layers[0].inv_freq(), gemma.layers[5].inv_freq()
    np.testing.assert_allclose(local, 10_000 ** (-np.arange(0, 256, 2) / 256), rtol=1e-12)
    np.testing.assert_allclose(full, 1_000_000 ** (-np.arange(0, 256, 2) / 256) / 8, rtol=1e-12)
