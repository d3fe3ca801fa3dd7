"""What released models say, read from the data files next to this one."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent
MODELS = json.loads((FOLDER / "models.json").read_text(encoding="utf-8"))["models"]
RELEASED = json.loads((FOLDER / "released.json").read_text(encoding="utf-8"))["models"]


def expected_of(name):
    """Return the expected frequencies of a model by pair."""
    model = next(model for model in MODELS if model["name"] == name)
    return {int(pair): value for pair, value in model["inv_freq"].items()}
