"""The numbers of the lesson "Many heads, and what they cannot see"."""

COURSE = "attention-from-scratch"
LESSON = "many-heads"
# Lengths and widths of examples, the width of the first transformer, a year.
CITED = {"512", "1024", "8192", "2022"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    d_model, heads = 512, 8
    lengths = [n for n in range(1, 5000) if _projections(n, d_model) == _pairs(n, d_model, heads)]
    assert lengths == [2 * d_model]
    assert all(_projections(n, 512) > _pairs(n, 512, 8) for n in range(1, lengths[0]))
    kept = 32 * 8192 * 8192
    assert kept * 2 == 4 * 2**30
    return {
        "splitting-heads": [f"{d_model} columns and {heads} heads, so $D = {d_model // heads}$"],
        "cost": [
            f"a text of {lengths[0]} tokens",
            f"sixteen times the text has {(16 * 512) ** 2 // 512**2} times the pairs",
            f"Twice the text has {['', 'one', 'two', 'three', 'four'][1024**2 // 512**2]} times",
            "32 heads and 8192 tokens",
            "4 GiB with two bytes each",
        ],
    }


def _projections(n: int, d_model: int) -> int:
    """Count what n rows times four square matrices multiply."""
    return 4 * n * d_model * d_model


def _pairs(n: int, d_model: int, heads: int) -> int:
    """Count what all dot products and all means of values multiply, head by head."""
    return heads * (n * n * (d_model // heads) + n * (d_model // heads) * n)


SAID = said()
