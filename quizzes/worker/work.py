"""The one table of work: every kind of people's code that workers run, in the order of its turn.

docs/architecture.md shows it (`tools/work_table.py`). The bounds are those of the code; a test
compares the order with what a worker does. Submissions and copies run in the worker's own thread,
all others in the preparer's, so neither waits for the other. Commands run people's code as well,
each in sandboxes of its own and in no queue: they are not in the table.
"""

from dataclasses import dataclass

from quizzes.classes import own_work
from quizzes.exercises import reserved_packs
from quizzes.exercises.models.exercise import MAX_PREPARATIONS
from quizzes.exercises.models.submission import CHECK_LEADS, COUNTED_LEADS, MAX_LEASES
from quizzes.exercises.queue import submission_limits as limits
from quizzes.lessons.listing_runs import MOST_WAITING
from quizzes.worker import (
    listing_runs,
    mistake_proofs,
    periodic_tasks,
    plot_drawing,
    question_pool,
)

QUEUE, IDLE, PREPARER = "queue", "when nothing waits", "preparer"
STUDENT, AUTHOR, BOTH = "student", "author", "author, student"
WAITING = f"{limits.WAITING_AT_ONCE} waiting"
CROWD = f"{limits.ANONYMOUS_WAITING_AT_ONCE} waiting of all visitors"
_DATA_KEPT = f"data {periodic_tasks.DATA_KEPT.days} days after the work closed"


@dataclass(frozen=True)
class Work:
    """A kind of work. `sandbox`: whose profiles its code runs in; `turn`: where and when it runs.

    `bound`: for a person, or for an exercise or question; `kept`: for how long its result is.
    """

    name: str
    sandbox: str
    lane: str
    turn: str
    bound: str
    kept: str


KINDS = (
    Work(
        "Submit that counts in a class",
        STUDENT,
        QUEUE,
        f"{COUNTED_LEADS.seconds} s ahead",
        f"{WAITING}; {limits.SUBMITS_A_MINUTE} a minute; the class's attempts",
        f"with the learner; {_DATA_KEPT}",
    ),
    Work(
        "Check",
        STUDENT,
        QUEUE,
        f"{CHECK_LEADS.seconds} s ahead",
        f"{WAITING}; one in {limits.CHECK_EVERY.seconds} s; {CROWD}",
        f"{periodic_tasks.CHECKS_KEPT.days} days",
    ),
    Work(
        "Run of a listing, or of a learner's code",
        STUDENT,
        QUEUE,
        f"{CHECK_LEADS.seconds} s ahead",
        f"as a Check, and counted with it; {CROWD}",
        f"{periodic_tasks.RUNS_KEPT.seconds // 3600} hour",
    ),
    Work(
        "calls of a learner's code for a figure",
        BOTH,
        QUEUE,
        f"{CHECK_LEADS.seconds} s ahead",
        f"as a Check, and counted with it; {CROWD}",
        f"{periodic_tasks.RUNS_KEPT.seconds // 3600} hour",
    ),
    Work(
        "X-ray of a learner's code",
        BOTH,
        QUEUE,
        f"{CHECK_LEADS.seconds} s ahead",
        f"as a Check, and counted with it; {CROWD}",
        f"{periodic_tasks.RUNS_KEPT.seconds // 3600} hour",
    ),
    Work(
        "call on a wrong program",
        BOTH,
        QUEUE,
        f"{CHECK_LEADS.seconds} s ahead",
        f"as a Check, and counted with it; {CROWD}",
        f"{periodic_tasks.RUNS_KEPT.seconds // 3600} hour",
    ),
    Work(
        "other Submit",
        STUDENT,
        QUEUE,
        "as it came",
        f"{WAITING}; {limits.SUBMITS_A_MINUTE} a minute,"
        f" {limits.SUBMITS_A_MINUTE_ANONYMOUS} without an account; {CROWD}",
        "with the learner",
    ),
    Work(
        "copy of a submission, for a regrade",
        STUDENT,
        IDLE,
        "quick ones first",
        f"one regrade of an exercise at a time; {MAX_LEASES} tries",
        "with the regrade",
    ),
    Work(
        "verification of an exercise",
        BOTH,
        PREPARER,
        "first one that somebody's code waits for",
        f"{MAX_PREPARATIONS} tries",
        "with the version",
    ),
    Work(
        "listing of a lesson that is being written",
        STUDENT,
        PREPARER,
        "one between any two others",
        f"{MOST_WAITING} waiting of a course; {listing_runs.MOST_TRIES} tries",
        f"{listing_runs.RUNS_KEPT.days} days",
    ),
    Work(
        "cases for one counted Submit",
        AUTHOR,
        PREPARER,
        "first where somebody's code waits",
        f"{reserved_packs.AHEAD} ahead for each open assignment",
        _DATA_KEPT,
    ),
    Work(
        "proof of an exercise or a known mistake that is being written",
        BOTH,
        PREPARER,
        "the longest wanted first",
        f"one a person; {mistake_proofs.MOST_SECONDS:g} s,"
        f" or {mistake_proofs.LONGEST:g} s by the clock",
        "with the draft",
    ),
    Work(
        "draw of a question that is being written",
        AUTHOR,
        PREPARER,
        "the longest wanted first",
        f"one a person; {mistake_proofs.MOST_SECONDS:g} s,"
        f" or {mistake_proofs.LONGEST:g} s by the clock",
        "until the question is drawn again",
    ),
    Work(
        "frames of a plot",
        AUTHOR,
        PREPARER,
        "the longest wanted first",
        f"{mistake_proofs.MOST_SECONDS:g} s, or {mistake_proofs.LONGEST:g} s by the clock",
        f"with the plot; unused ones {plot_drawing.UNUSED_KEPT.days} day",
    ),
    Work(
        "cases for everybody",
        AUTHOR,
        PREPARER,
        "the emptiest pool first",
        "`CASE_PACKS` to `MOST_CASE_PACKS` of an exercise",
        f"{periodic_tasks.CHECKS_KEPT.days} days after they leave the pool, or for as long as a"
        " submission names them",
    ),
    Work(
        "numbers of questions",
        AUTHOR,
        PREPARER,
        "the emptiest pool first",
        f"{question_pool.POOL_SIZE} of a question that few have met",
        f"{question_pool.OLD_KEPT.days} day after a newer version has its own",
    ),
    Work(
        "numbers for a regrade",
        AUTHOR,
        PREPARER,
        "the longest wanted first",
        "those that learners met",
        "as those of questions",
    ),
    Work(
        "cases for counted Submits of work that is due soon",
        AUTHOR,
        PREPARER,
        "while no quick code waits",
        f"{own_work.SUBMITS_EXPECTED} for each student of work due within {own_work.SOON.days}"
        f" days; {reserved_packs.MOST_EARLY} of an exercise",
        f"{_DATA_KEPT}; unused packs {periodic_tasks.CHECKS_KEPT.days} days after it was due",
    ),
)
