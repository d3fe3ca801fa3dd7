"""Reading tests/parity/golden: arrays that other people's code produced."""

import json
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "golden"


def load(name: str) -> dict[str, np.ndarray]:
    """Return the arrays of one file by name."""
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as arrays:
        return {key: arrays[key] for key in arrays.files}


def manifest() -> dict[str, dict[str, Any]]:
    """Return what is known of each file: source, version, call, convention."""
    entries = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["entries"]
    return {entry["name"]: entry for entry in entries}
