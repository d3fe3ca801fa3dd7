"""The base of NTK-aware scaling, from the frequencies that the engine computes."""

from posenc.catalog.rope import Rope


def generate(rng, exercise):
    head_dim = int(rng.choice([16, 32, 64, 96, 128]))
    base = float(rng.choice([1000, 10_000, 500_000]))
    factor = float(rng.choice([2, 3, 4, 6, 8]))

    def base_of(inv_freq):
        return float(inv_freq[1]) ** (-head_dim / 2)

    key = base_of(Rope(head_dim=head_dim, base=base, scaling="ntk", factor=factor).inv_freq)
    call = {"head_dim": head_dim, "base": base, "factor": factor, "kind": "ntk"}
    return {
        "prompt": (
            f"RoPE with head_dim {head_dim} and base {base:g} is stretched by the factor {factor:g}, "
            "NTK-aware, without further training. What is the new base? You may type a formula."
        ),
        "facts": {"head_dim": head_dim, "base": base, "factor": factor},
        "proof": base_of(exercise.reference(**call)),
        "answer": {
            "value": key,
            "within": 0.01,
            "reason": (
                "The base becomes $\\text{base} \\cdot s^{D/(D-2)}$, so that the slowest pair is "
                f"stretched by $s$ and the fastest not at all: ${base:g} \\cdot "
                f"{factor:g}^{{{head_dim}/{head_dim - 2}}}$."
            ),
            "near": [
                {
                    "value": base,
                    "reason": "That is the base it was trained with: nothing is stretched.",
                },
                *exercise.mistaken(base_of, **call),
            ],
        },
    }
