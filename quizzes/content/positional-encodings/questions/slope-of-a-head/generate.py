"""ALiBi's slope of one head, also for head counts that are no power of two."""

from posenc.catalog.alibi import Alibi


def generate(rng, exercise):
    n_heads = int(rng.choice([2, 4, 6, 8, 10, 12, 16, 20, 24, 32]))
    head = int(rng.integers(1, n_heads + 1))
    key = float(Alibi(n_heads=n_heads).slopes[head - 1])
    power = 2 ** (n_heads.bit_length() - 1)
    if head <= power:
        how = f"It is one of the first {power} heads: $2^{{-8 \\cdot {head}/{power}}}$."
    else:
        odd = 2 * (head - power) - 1
        how = (
            f"{n_heads} is no power of two: the first {power} heads have the slopes of {power} "
            f"heads, the others every second slope of {2 * power} heads, here "
            f"$2^{{-8 \\cdot {odd}/{2 * power}}}$."
        )
    return {
        "prompt": (
            f"A model with {n_heads} heads uses ALiBi by the rule of its authors' code. What is the "
            f"slope of head {head}? Heads are counted from 1; a power such as `2^-3` may be typed."
        ),
        "facts": {"n_heads": n_heads, "head": head},
        "proof": float(exercise.reference(n_heads=n_heads)[head - 1]),
        "answer": {
            "value": key,
            "within": 0.01,
            "reason": how,
            "near": exercise.mistaken(lambda slopes: slopes[head - 1], n_heads=n_heads),
        },
    }
