"""The bound of a comparison holds for all fields together."""

import difflib

from quizzes.teaching.changes import MOST_PAIRS, changes


def test_many_long_steps_are_compared_within_one_bound(monkeypatch):
    asked = []

    class Counted(difflib.SequenceMatcher):
        def __init__(self, junk, old, new, **options):
            asked.append(len(old) * len(new))
            super().__init__(junk, old, new, **options)

    monkeypatch.setattr(difflib, "SequenceMatcher", Counted)
    older, newer = (
        {
            "steps": [
                {
                    "slug": f"step-{number}", "title": "", "going_deeper": False, "as_of": "",
                    "sources": [], "text": f"{word}\n\n" * 100,
                }
                for number in range(40)
            ]
        }
        for word in ("old", "new")
    )  # fmt: skip
    assert len(changes(older, newer)) == 40
    assert 0 < sum(asked) <= MOST_PAIRS
