"""A generated question as its files, and what its generator would make of a seed."""

from quizzes.assessment.generator.generated_question import (
    Generated,
    GeneratedOption,
    generated_from,
)

YAML = "kind: single\nstep: sums/adding\nprompt: How much is it? Other numbers every time.\n"
SOURCE = "def generate(rng, exercise):\n    return {}\n"
MISTAKE = "sinusoidal-table/swap"


def made(seed):
    """Return what a generator makes of a seed, without a sandbox."""
    options = [("right", True, ""), ("swapped", False, MISTAKE), ("off", False, "")]
    return Generated(
        seed,
        f"How much is {seed}?",
        {"n": seed},
        tuple(
            GeneratedOption(f"{words} {seed}", "Because.", is_key, mistake)
            for words, is_key, mistake in options
        ),
    )


def made_number(seed):
    """Return what a generator of a question with a typed number makes of a seed."""
    answer = {"value": float(seed), "plus_minus": 0.1, "reason": "Because.", "near": []}
    plain = {"prompt": f"How much is {seed}?", "facts": {"n": seed}}
    plain |= {"proof": float(seed), "answer": answer}
    return generated_from(plain, kind="numeric", seed=seed)
