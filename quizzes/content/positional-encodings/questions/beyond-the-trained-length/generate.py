"""What happens at the length an encoding was made for: one of five encodings, with drawn numbers.

The answer is a number of its own in each draw, computed by the engine, and its wrong answers are
what a wrong idea of this encoding gives. They are no known mistakes of code: nobody writes a program
here that has a fault.
"""

import math

import numpy as np

from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.catalog.t5_bias import T5Bias


def wrong(value, reason):
    return {"value": value, "reason": reason}


def table(rng):
    rows = 8 * int(rng.integers(16, 129))
    # In one draw of four the text is short enough, and nothing happens.
    beyond = int(rng.integers(2, rows // 2)) * (-1 if rng.random() < 0.25 else 1)
    tokens = rows + beyond
    encoding = Learned(max_len=rows, d_model=4)
    weights = encoding.init_weights(np.random.default_rng(0))

    def has_row(position):
        try:
            encoding.on_embeddings(np.zeros((1, 4)), np.array([position]), weights)
        except (ValueError, IndexError):
            return False
        return True

    # Rows end somewhere: found by halving, not by trying each.
    low, high = 0, 2 * tokens
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if has_row(middle) else (low, middle)
    key = max(0, tokens - low)
    return {
        "prompt": f"A learned table has rows for the positions 0 to {rows - 1}. A text of {tokens} "
        "tokens is looked up. How many of its tokens have no row?",
        "facts": {"encoding": "learned", "rows": rows, "tokens": tokens},
        "proof": len(set(range(tokens)) - set(range(rows))),
        "value": key,
        "reason": f"The tokens are at positions 0 to {tokens - 1}, and the table ends at {rows - 1}.",
        "wrong": [
            wrong(key + 1, f"Position {rows - 1} still has a row, the last one."),
            wrong(tokens, "Each token is looked up by itself: those before the end have a row."),
            *(
                [
                    wrong(key - 1, f"Position {rows} has no row either: they start at 0."),
                    wrong(0, "No row is made for a position that the table was not made for."),
                ]
                if key
                else [
                    wrong(
                        -beyond,
                        "That is the number of rows without a token; the question asks the other way.",
                    )
                ]
            ),
        ],
        "apart": 0.5,
    }


def waves(rng):
    d = 8 * int(rng.integers(4, 33))
    trained = 8 * int(rng.integers(8, 129))
    turns = Sinusoidal(d_model=d).wavelengths
    key = int((turns > trained - 1).sum())
    slowest = 2 * math.pi * 10_000 ** ((d - 2) / d)
    return {
        "prompt": f"A model has sinusoidal codes by the formula of the paper, with width {d} and base "
        f"10000. It was trained on the positions 0 to {trained - 1}. How many of the {d // 2} pairs "
        "made less than one turn there? To these, later positions bring new angles.",
        "facts": {"encoding": "sinusoidal", "d_model": d, "trained": trained},
        # A pair i turns once in 2 pi 10000^(2i/d) positions: the first i with more than trained - 1.
        "proof": d // 2
        - math.floor(d / 2 * math.log((trained - 1) / (2 * math.pi)) / math.log(10_000))
        - 1,
        "value": key,
        "reason": f"Pair $i$ turns once in $2 \\pi \\cdot 10000^{{2i/{d}}}$ positions, up to "
        f"${slowest:.0f}$; {key} of these are more than {trained - 1}.",
        "wrong": [
            wrong(
                d // 2 - key,
                "That is the number of pairs that made a whole turn or more: these repeat.",
            ),
            wrong(2 * key, "A pair has two columns; pairs are counted here."),
            wrong(0, "The formula gives a code everywhere. The slow angles were never seen."),
            wrong(d // 2, "The fast pairs turned many times: their angles are all known."),
        ],
        "apart": 0.5,
    }


def buckets(rng):
    count = int(rng.choice([16, 32, 64]))
    longest = int(rng.integers(2 * count, 12 * count))
    encoding = T5Bias(num_buckets=count, max_distance=longest, bidirectional=False)
    last = encoding.buckets(-np.arange(2 * longest))
    key = int(np.argmax(last == last[-1]))
    exact = count // 2
    steps = exact - 1  # in the logarithm of the distance, from the exact ones to the last bucket
    first = math.ceil(exact * (longest / exact) ** (steps / exact) - 1e-9)
    return {
        "prompt": f"T5's causal bias has {count} buckets and the maximal distance {longest}, by the "
        "authors' code. From which distance on do all keys get one and the same bias?",
        "facts": {"encoding": "t5", "num_buckets": count, "max_distance": longest},
        "proof": first,
        "value": key,
        "reason": f"The last bucket begins at $\\lceil {exact} \\cdot ({longest} / {exact})"
        f"^{{{steps}/{exact}}} \\rceil = {key}$, below the maximal distance.",
        "wrong": [
            wrong(
                longest, "The last bucket begins earlier: it is as wide as a step of the logarithm."
            ),
            wrong(count, "Distances share buckets there, but more buckets follow."),
            wrong(
                exact, "That many distances have a bucket of their own; then they share buckets."
            ),
            wrong(2 * longest, "Nothing is doubled: no bucket is left behind the last one."),
        ],
        "apart": 1.5,
    }


def penalty(rng):
    heads = int(rng.choice([4, 8, 16]))
    head = int(rng.integers(0, heads))
    trained = 64 * int(rng.integers(2, 17))
    distance = trained + int(rng.integers(trained // 4, 3 * trained))
    encoding = Alibi(n_heads=heads)
    slope = float(encoding.slopes[head])
    key = float(encoding.bias(np.array([distance]), np.array([0]))[head, 0, 0])
    return {
        "prompt": f"ALiBi in the form $-m(i - j)$ was trained on texts of {trained} tokens. What does "
        f"a head with the slope $m = 2^{{{round(math.log2(slope) * 2) / 2:g}}}$ add to the score of a "
        f"key that stands {distance} positions before the query?",
        "facts": {
            "encoding": "alibi",
            "log2_slope": round(math.log2(slope) * 2) / 2,
            "trained": trained,
            "distance": distance,
        },
        "proof": -(2.0 ** (-8 * (head + 1) / heads)) * distance,
        "value": key,
        "reason": f"The penalty is $m$ times the distance, for any distance: "
        f"$-2^{{{round(math.log2(slope) * 2) / 2:g}}} \\cdot {distance}$.",
        "wrong": [
            wrong(-slope * (trained - 1), "The penalty does not stop at the length of training."),
            wrong(
                -slope * (distance - trained), "It counts from the query, not from that length on."
            ),
            wrong(0.0, "No distance is too long for a product, and no key is spared."),
            wrong(
                -slope * (distance + trained), "The length of training is no part of the penalty."
            ),
        ],
        "apart": 0.05 * abs(key),
    }


def stretched(rng):
    trained = 256 * int(rng.integers(2, 17))
    factor = int(rng.choice([2, 4, 8, 16]))
    position = factor * int(rng.integers(trained // factor + 1, trained))
    plain = Rope(head_dim=64).inv_freq
    slower = Rope(head_dim=64, scaling="linear", factor=factor, trained_length=trained).inv_freq
    return {
        "prompt": f"RoPE was trained on the positions 0 to {trained - 1} and is then stretched by "
        f"linear interpolation with the factor {factor}. Which position of training had the angles "
        f"that position {position} has now?",
        "facts": {"encoding": "rope", "trained": trained, "factor": factor, "position": position},
        "proof": position // factor,
        "value": float(round(float(position * slower[3] / plain[3]), 6)),
        "reason": f"Every angle is divided by the factor: ${position} / {factor}$.",
        "wrong": [
            wrong(position % trained, "Positions do not begin again: the angles grow more slowly."),
            wrong(trained - 1, "Positions are not cut off at the end: each has angles of its own."),
            wrong(position - trained, "Nothing is taken off; every position moves, the first too."),
            wrong(
                position // (2 * factor),
                "The factor divides once; this is half of the right position.",
            ),
        ],
        "apart": 0.5,
    }


def shown(value):
    return f"{value:.5g}".replace("-", "\N{MINUS SIGN}") if value else "0"


def generate(rng, exercise):
    kinds = (table, waves, buckets, penalty, stretched)
    drawn = kinds[int(rng.integers(0, len(kinds)))](rng)
    options = drawn.pop("wrong")
    rng.shuffle(options)
    key = {name: drawn.pop(name) for name in ("value", "reason")}
    return {
        **drawn,
        "key": {**key, "text": shown(key["value"])},
        "distractors": [{**one, "text": shown(one["value"])} for one in options],
    }
