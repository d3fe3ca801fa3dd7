"""The table of work says what a worker does, in its order; docs/architecture.md shows it."""

import threading
from contextlib import nullcontext

from django.utils import timezone

from quizzes.exercises.models.submission import due
from quizzes.worker import background
from quizzes.worker.work import KINDS, PREPARER, QUEUE
from tools.work_table import HEADING, PAGE, with_table

# The preparer's own names of what stands in the table.
NAMES = {
    "_verification": "verification of an exercise",
    "_listings": "listing of a lesson that is being written",
    "_reserved": "cases for one counted Submit",
    "_proofs": "proof of an exercise or a known mistake that is being written",
    "_draws": "draw of a question that is being written",
    "_plots": "frames of a plot",
    "_packs": "cases for everybody",
    "_instances": "numbers of questions",
    "_wanted": "numbers for a regrade",
    "_early": "cases for counted Submits of work that is due soon",
}


def test_page_has_the_table_of_the_code():
    text = PAGE.read_text()
    assert HEADING in text
    assert with_table(text) == text, "run `.venv/bin/python tools/work_table.py`"


def test_preparer_works_in_the_order_of_the_table(monkeypatch):
    subject = background.Preparer(stopping=threading.Event(), keep_lease=nullcontext)
    order = []
    monkeypatch.setattr(subject._signs, "is_look_due", lambda: True)
    subject._signs.is_version_waiting = subject._signs.is_proof_waiting = True
    subject._signs.is_draw_waiting = True
    subject._signs.is_listing_waiting = True
    subject._signs.is_plot_waiting = True
    guarded = {
        name for name, work in vars(subject).items() if isinstance(work, background.GuardedWork)
    }
    assert guarded == {"_reading", "_reading_ahead", *NAMES}
    monkeypatch.setattr(subject, "_reading", lambda: True)
    for name, work in NAMES.items():
        monkeypatch.setattr(subject, name, lambda work=work: bool(order.append(work)))
    subject._look()
    assert order == [work.name for work in KINDS if work.lane == PREPARER]


def test_queue_is_in_the_order_of_the_table():
    """Of submissions that come in one moment."""
    now = timezone.now()
    turns = {
        "Submit that counts in a class": due(
            submitted_at=now, is_check=False, counts=True, waiting=0
        ),
        "Check": due(submitted_at=now, is_check=True, waiting=0),
        "Run of a listing, or of a learner's code": due(submitted_at=now, is_check=True, waiting=0),
        "calls of a learner's code for a figure": due(submitted_at=now, is_check=True, waiting=0),
        "X-ray of a learner's code": due(submitted_at=now, is_check=True, waiting=0),
        "call on a wrong program": due(submitted_at=now, is_check=True, waiting=0),
        "other Submit": due(submitted_at=now, is_check=False, waiting=0),
    }
    assert [work.name for work in KINDS if work.lane == QUEUE] == sorted(turns, key=turns.get)
