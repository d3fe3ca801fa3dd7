"""What is large of a Run, on the disk: that of learners who still look, and no more.

A batch may have 2 MB of arrays with those of the reference, and a hand that drags sends one a
second; an X-ray has up to 128 KB. The page that asked reads them within seconds and keeps them
itself. So only the newest few of a learner are kept, and the newest of all visitors without an
account: the disk holds no more, however many are sent.

Each batch keeps the reference's arrays of its own, although they are the same for everybody: half
of its few kilobytes. One row for all would be written while it is read, outlive the batches that
name it and be deleted by a rule of its own; and a worker has it in its memory already
(`worker/reference_sandbox.py`).
"""

from django.db import transaction
from django.db.models import QuerySet

from quizzes.exercises.models import CodeRun, Submission
from quizzes.exercises.queue.port import Lease
from quizzes.grader.programs import Sample

MOST_OF_ONE = 4  # batches of a learner that have arrays, and X-rays
MOST_OF_LAB = 8  # Runs of a learner in the lab that have arrays: 1 MB each at most
# And of all who have no account: usually about 40 MB of arrays, at most 400; 25 MB of X-rays;
# 200 MB of the lab.
MOST_OF_VISITORS = 200
DROPPED_AT_ONCE = 100


def drop_older_pictures(row: Submission) -> None:
    """Drop the arrays of a learner's older batches, and of visitors' where many have some.

    Runs of the lab, which are batches of no exercise, are counted by themselves: no drag of an
    exercise's slider drops them.
    """
    is_of_lab = row.run.against_id is None
    batches = CodeRun.objects.filter(sample__isnull=False, picture__isnull=False)
    batches = batches.filter(against__isnull=is_of_lab)
    _drop_older(batches, row, most=MOST_OF_LAB if is_of_lab else MOST_OF_ONE, picture=None)


def drop_older_xrays(row: Submission) -> None:
    """Drop the outcomes of a learner's older X-rays, and of visitors' where many have one."""
    xrays = CodeRun.objects.filter(looks_into__isnull=False, outcome__isnull=False)
    _drop_older(xrays, row, most=MOST_OF_ONE, outcome=None)


def _drop_older(runs: QuerySet[CodeRun], row: Submission, *, most: int, **emptied: None) -> None:
    mine = runs.filter(submission__learner=row.learner_id)
    visitors = runs.filter(submission__learner__user=None)
    for some, limit in ((mine, most), (visitors, MOST_OF_VISITORS)):
        newest_first = some.order_by("-pk").values_list("pk", flat=True)
        if older := list(newest_first[limit : limit + DROPPED_AT_ONCE]):
            CodeRun.objects.filter(pk__in=older).update(**emptied)


@transaction.atomic
def show_before_reference(*, lease: Lease, outcome: Sample) -> bool:
    """Write what came of a learner's code while its row waits for the author's sandbox.

    The row stays in the queue: it is run again with the reference, in 50 ms. False if the row was
    taken over meanwhile: a worker that was frozen must not write over what another one recorded.
    """
    row = lease.submission
    held = Submission.objects.in_work_of(pk=row.pk, worker=lease.worker, number=lease.number)
    # An update that changes nothing: it locks the row until the outcome is written, in each engine.
    if not held.update(leased_by=lease.worker):
        return False
    rows = CodeRun.objects.filter(submission=row.pk)
    rows.update(outcome=outcome.as_json(), picture=outcome.picture)
    drop_older_pictures(row)
    return True
