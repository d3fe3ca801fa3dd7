"""The record of progress: the best state that each learner reached in each thing of a course.

Things are named as their course names them, so every function here takes the course, by its key.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import DateTimeField, F, QuerySet, Value
from django.db.models.functions import Coalesce, Least
from django.utils import timezone

from quizzes.kept_rows import KeptQuery
from quizzes.learners.hidden_answers import hidden_slugs
from quizzes.learners.models import Learner, Progress

WORSE_STATES = {"seen": [], "shaky": ["seen"], "done": ["seen", "shaky"]}
BEST_STATE = "done"  # may replace any other state


@transaction.atomic(savepoint=False)
def record_progress(
    course: int,
    *,
    learner: Learner,
    kind: str,
    slug: str,
    state: str,
    done_at: datetime | None = None,
) -> None:
    """Note that `learner` reached `state` in the thing (kind, slug); a better state is kept.

    When it was first done stays: `done_at`, or now, counts where it is earlier. Raises ValueError
    for a kind or state that is none: SQLite would leave such a row out silently.
    """
    kind, state, now = Progress.Kind(kind), Progress.State(state), timezone.now()
    reached = Progress(learner=learner, course_id=course, kind=kind, slug=slug, state=state)
    same = Progress.objects.filter(learner=learner, course=course, kind=kind, slug=slug)
    if state == BEST_STATE:
        reached.done_at = done_at or now
        Progress.objects.bulk_create([reached], ignore_conflicts=True)
        first = _earlier(reached.done_at)
        same.update(state=state, updated_at=now, done_at=first)
        return
    Progress.objects.bulk_create([reached], ignore_conflicts=True)
    worse = same.filter(state__in=WORSE_STATES[state])
    worse.update(state=state, updated_at=now)


def _earlier(at: datetime) -> Least:
    """Return the earlier of a row's own `done_at` and this time."""
    other = Value(at, output_field=DateTimeField())
    return Least(Coalesce(F("done_at"), other), other)


def _query(kind: Progress.Kind) -> KeptQuery:
    def rows(learner: int, course: int) -> QuerySet[Progress, tuple[str, str]]:
        of_kind = Progress.objects.filter(learner=learner, course=course, kind=kind)
        return of_kind.values_list("slug", "state")

    return KeptQuery(rows, values=(int, int))


# All of a kind: a condition that names the hundred steps of a course costs more than their rows.
_ROWS = {kind: _query(kind) for kind in Progress.Kind}


def progress_of(
    course: int, learner: Learner | None, kind: str, slugs: Iterable[str]
) -> dict[str, str]:
    """Return the state per slug, in one query; things not begun are missing."""
    if learner is None:
        return {}
    told = set(slugs) - hidden_slugs(learner, course, kind)
    rows = _ROWS[Progress.Kind(kind)].rows(learner.pk, course)
    return {slug: state for slug, state in rows if slug in told}


# ---- things that get another name


def rename_progress(course: int, *, kind: str, old: str, new: str) -> None:
    """Give the record of a thing its new name; of a learner with both names keep the better state.

    Call it inside a transaction.
    """
    rows = Progress.objects.filter(course=course, kind=kind)
    theirs = rows.filter(slug=old)
    for row in rows.filter(slug=new, learner__in=theirs.values("learner")):
        before = theirs.get(learner=row.learner_id)
        if row.state in WORSE_STATES[before.state]:
            rows.filter(pk=row.pk).update(state=before.state)
        if before.done_at is not None:
            rows.filter(pk=row.pk).update(done_at=_earlier(before.done_at))
        before.delete()
    theirs.update(slug=new)


def rename_progress_below(course: int, *, kind: str, old: str, new: str) -> None:
    """Do the same for everything whose name begins with `old/`."""
    rows = Progress.objects.filter(course=course, kind=kind, slug__startswith=f"{old}/")
    for slug in set(rows.values_list("slug", flat=True)):
        renamed = f"{new}{slug.removeprefix(old)}"
        rename_progress(course, kind=kind, old=slug, new=renamed)
