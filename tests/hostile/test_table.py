"""The table in docs/security.md names every attack, and only attacks that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_attack_is_in_the_table() -> None:
    text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    table = text[text.index("| family | attacks |") : text.index("Beside them:")]
    rows = [line.split("|")[2] for line in table.splitlines()[2:] if line.startswith("|")]
    named = re.findall(r"\w+", " ".join(rows).replace(" must", ""))
    there = sorted(path.stem for path in (ROOT / "tests/hostile/attacks").glob("*.py"))
    assert sorted(named) == there
