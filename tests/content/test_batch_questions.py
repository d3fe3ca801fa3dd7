"""The questions of "Positions in a batch": each number counted, ALiBi's weights computed."""

import itertools

import numpy as np
import pytest

from tests.content.lesson_text import questions

QUESTIONS = questions()
DOCUMENTS = [4, 4, 9, 9, 9, 4]


def key_of(slug: str) -> str:
    (key,) = [option.text for option in QUESTIONS[slug].options if option.is_key]
    return key


def numbers_of(slug: str) -> list[float]:
    """Return the right number and the near misses of a numeric question."""
    answer = QUESTIONS[slug].answer
    assert answer is not None
    return [float(answer["value"]), *(float(miss["value"]) for miss in answer["near"])]


@pytest.mark.parametrize(
    ("slug", "before"),
    [("left-padded-last", "0001111"), ("next-of-a-row", "00111" + "11" + "1")],
)
def test_position_is_the_number_of_tokens_before(slug: str, before: str) -> None:
    assert key_of(slug) == str(before[:-1].count("1"))


def test_padding_between_tokens_is_not_counted() -> None:
    mask, seen = "110011", 0
    positions = []
    for mark in mask:
        if mark == "1":
            positions.append(seen)
            seen += 1
    assert key_of("padding-in-the-middle") == ", ".join(map(str, positions))


def test_third_piece_goes_on() -> None:
    pieces = [range(10)[start : start + 4] for start in range(0, 10, 4)]
    assert key_of("third-piece") == str(pieces[2][0])


def test_sum_of_packed_positions_is_counted() -> None:
    runs = [len(list(run)) for _, run in itertools.groupby(DOCUMENTS)]
    by_value = [DOCUMENTS[:place].count(number) for place, number in enumerate(DOCUMENTS)]
    right = [position for run in runs for position in range(run)]
    assert numbers_of("sum-of-packed-positions") == [
        sum(right),
        sum(by_value),
        sum(range(len(DOCUMENTS))),
        sum(position + 1 for position in right),
    ]


def test_pairs_of_packed_documents_are_counted() -> None:
    owner = [0, 0, 0, 1, 1]
    pairs = list(itertools.product(range(5), repeat=2))
    seen = [pair for pair in pairs if owner[pair[0]] == owner[pair[1]] and pair[1] <= pair[0]]
    causal = [pair for pair in pairs if pair[1] <= pair[0]]
    blocks = [pair for pair in pairs if owner[pair[0]] == owner[pair[1]]]
    assert numbers_of("pairs-of-packed-documents") == [len(seen), len(causal), len(blocks)]


def test_one_token_documents_are_counted() -> None:
    assert key_of("one-token-documents") == str([0, 0, 0, 1].count(0))


def weights(position: int) -> np.ndarray:
    """Return the weights of a query over three keys with one head of ALiBi, slope 1/2."""
    scores = np.array([0.3, 1.2, -0.4]) - 0.5 * (position - np.arange(3))
    powers = np.exp(scores)
    return np.asarray(powers / powers.sum())


def test_alibi_forgives_a_shifted_query() -> None:
    np.testing.assert_allclose(weights(2), weights(2 + 4), rtol=1e-12)
    assert key_of("shifted-alibi-query") == "Not at all"
    reason = next(o.reason for o in QUESTIONS["shifted-alibi-query"].options if o.is_key)
    assert f"falls by {0.5 * 4:g} more" in reason


def test_common_shift_changes_added_vectors_alone() -> None:
    rng = np.random.default_rng(0)
    x, table = rng.normal(size=(2, 12, 4))
    w_q, w_k = rng.normal(size=(2, 4, 4))
    sinusoids = np.array(
        [[np.sin(p), np.cos(p), np.sin(p / 100), np.cos(p / 100)] for p in range(12)]
    )

    def added(codes: np.ndarray, shift: int) -> np.ndarray:
        h = x[:5] + codes[shift : shift + 5]
        return np.asarray((h @ w_q) @ (h @ w_k).T)

    def turned(shift: int) -> np.ndarray:
        angles = np.exp(1j * np.outer(np.arange(5) + shift, [1, 0.01]))
        q, k = ((x[:5] @ w).view(complex) * angles for w in (w_q, w_k))
        return np.asarray((q @ k.conj().T).real)

    def penalised(shift: int) -> np.ndarray:
        at = np.arange(5) + shift
        return np.asarray(-0.5 * np.abs(at[:, None] - at))

    assert not np.allclose(added(table, 0), added(table, 3))
    assert not np.allclose(added(sinusoids, 0), added(sinusoids, 3))
    assert np.allclose(turned(0), turned(3))
    assert np.allclose(penalised(0), penalised(3))
    assert key_of("common-shift") == "Those of RoPE and of ALiBi"
