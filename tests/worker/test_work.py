"""The table of work says what a worker does, in its order; docs/architecture.md shows it."""

import threading
from contextlib import nullcontext

from quizzes.worker import background
from quizzes.worker.work import KINDS, PREPARER
from tools.work_table import HEADING, PAGE, with_table

# The preparer's own names of what stands in the table.
NAMES = {
    "_verification": "verification of an exercise",
    "_reserved": "cases for one counted Submit",
    "_packs": "cases for everybody",
    "_instances": "numbers of questions",
    "_wanted": "numbers for a regrade",
}


def test_page_has_the_table_of_the_code():
    text = PAGE.read_text()
    assert HEADING in text
    assert with_table(text) == text, "run `.venv/bin/python tools/work_table.py`"


def test_preparer_works_in_the_order_of_the_table(monkeypatch):
    subject = background.Preparer(stopping=threading.Event(), keep_lease=nullcontext)
    order = []
    monkeypatch.setattr(subject, "_is_look_due", lambda: True)
    monkeypatch.setattr(subject, "_packs_are_in_use", lambda: True)
    guarded = {
        name for name, work in vars(subject).items() if isinstance(work, background.GuardedWork)
    }
    assert guarded == set(NAMES)
    for name in guarded:
        monkeypatch.setattr(subject, name, lambda name=name: bool(order.append(NAMES[name])))
    subject._look()
    assert order == [work.name for work in KINDS if work.lane == PREPARER]
