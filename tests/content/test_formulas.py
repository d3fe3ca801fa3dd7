"""Every formula of the courses becomes MathML, the same as when somebody last looked at it.

After looking at new ones, `python -m tests.content.keep_formulas` keeps them.
"""

import json
from pathlib import Path

from tests.content.course_formulas import formulas

GOLDEN = Path(__file__).with_name("golden_formulas.json")


def test_every_formula_is_as_it_was_when_somebody_looked() -> None:
    kept, now = json.loads(GOLDEN.read_text()), formulas()
    assert len(now) > 300
    assert [latex for latex in now if latex not in kept] == []
    assert [latex for latex in now if kept[latex] != now[latex]] == []
