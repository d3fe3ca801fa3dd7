"""The numbers of the lesson "Relative encodings"."""

from posenc.catalog.t5_bias import T5Bias

LESSON = "relative-bias"
# Sizes of examples and settings of T5.
CITED = {"256", "512", "500", "101", "102", "128", "5000", "100", "1024", "2024"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    both = T5Bias()
    assert both.first_distances[8] == 8
    bounds = 8 * 16 ** (7 / 8)
    assert both.first_distances[-1] == int(bounds) + 1
    return {
        "offsets-not-positions": [],
        "clipping": [f"A text of 512 tokens has {2 * 512 - 1} of them"],
        "t5-buckets": [f"\\approx {bounds:.1f}", "The other eight cover 8 to 128"],
        "cost": [f"numbers, {1024 * 1024 * 64 * 4 / 2**20:.0f} MiB in float32"],
    }


SAID = said()
