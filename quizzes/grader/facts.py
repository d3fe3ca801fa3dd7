"""What a probe found out, as it stands in an observation: how its leaves are called and read."""

from __future__ import annotations

import math

from quizzes.grader.observation import Leaf, Observation

FACT, SEEN, GRAD, CHANGED, LOOK = "fact.", "seen.", "grad.", "changed.", "look."


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


def is_claimed(expected: Observation, name: str) -> bool:
    """Whether a fact is as the code says of itself: no array shows it that the judge compares.

    The dtype of a result is read off an array that is compared.
    """
    return name != "dtype_kept" and not any(key.startswith(LOOK) for key in expected.leaves)
