"""On how many examples a property is tried: a few in the gate, all at night.

A property is a rule, and the first examples say most of it: shrunk edges come first. `make soak`
draws the whole number with new random choices each night; the gate draws the same ones each time.
"""

from typing import Any

from hypothesis import settings

GATE, NIGHT = "gate", "night"
GATE_EXAMPLES = 25
EXAMPLES = 100


def register_profiles() -> None:
    """Register what the runs choose from: `gate`, `dev`, `quick` and `night`."""
    few = {"deadline": None, "max_examples": GATE_EXAMPLES}
    settings.register_profile(GATE, derandomize=True, print_blob=True, **few)
    settings.register_profile("dev", **few)
    settings.register_profile("quick", deadline=None, max_examples=10)  # of tools/quick.py
    settings.register_profile(NIGHT, deadline=None, print_blob=True, max_examples=EXAMPLES)


def examples(count: int, **others: Any) -> settings:
    """Return settings with `count` examples at night, and no more than the profile's by day."""
    if settings.get_current_profile_name() != NIGHT:
        count = min(count, settings().max_examples)
    return settings(max_examples=count, **others)
