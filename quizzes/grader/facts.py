"""What a probe found out, as it stands in an observation: how its leaves are called and read."""

from __future__ import annotations

import math

from quizzes.grader.observation import Leaf, Observation

FACT, SEEN, GRAD, CHANGED = "fact.", "seen.", "grad.", "changed."
# What no array shows: the process of the code tells it, and code can tell what it likes.
CLAIMED = (
    *("eval_repeats", "modules_alike", "trainable", "frozen", "buffers", "buffer_named", "moves"),
    *("reaches_input", "reached"),
)


def value_of(observation: Observation, key: str) -> float | None:
    """The single number in a leaf, None when there is none."""
    leaf: Leaf | None = observation.leaves.get(key)
    if leaf is None or leaf.values is None or leaf.values.size != 1:
        return None
    number = float(leaf.values.real.item())
    return number if math.isfinite(number) else None


def measured_by(observation: Observation, name: str) -> float | None:
    """The number behind a fact."""
    return value_of(observation, f"{SEEN}{name}")


def results_of(observation: Observation) -> dict[str, Leaf]:
    """What the code returned, by key: `out`, or `out.0`, `out.1` ... of several."""
    leaves = observation.leaves.items()
    return {key: leaf for key, leaf in leaves if key == "out" or key.startswith("out.")}
