"""Grading submissions by a newer version of their exercise: beside them, applied, undone.

Nothing is emptied: while copies are graded, learners see what they saw. Whatever touches many rows
goes in chunks of 100, each a transaction of its own, and whoever comes after an interruption goes
on where it stopped. Learners are locked first, their submissions second, as everywhere.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.courses.audit import record
from quizzes.exercises.case_pack_pool import any_pack
from quizzes.exercises.models import (
    CasePicture,
    CodeRegrade,
    Exercise,
    PreviousVerdict,
    Submission,
    TrialVerdict,
)
from quizzes.exercises.models.submission import ERASED_CODE, MAX_LEASES
from quizzes.exercises.queue.clock import database_time
from quizzes.exercises.stored_reports import copy_of, read_report
from quizzes.grader.api import Verdict, storable_text
from quizzes.grader.judge import Report
from quizzes.learners.models import Learner, Progress, ReviewCard, User
from quizzes.learners.review import FIRST_DUE_AFTER

CHUNK = 100
TRIAL_LEASE = timedelta(minutes=2)  # longer than any run that the sandbox allows
DIED = "Its workers ended or froze while they had it, without a word."
State = CodeRegrade.State
NOT_GRADED = Verdict.NOT_GRADED.value
MISTAKE = ReviewCard.Kind.MISTAKE
CARD = [field.attname for field in ReviewCard._meta.concrete_fields]
# Of a submission, what grading writes.
GRADED = (
    "exercise_version_id",
    "pack_id",
    "verdict",
    "known_mistake",
    "cases_passed",
    "cases_total",
    "our_failure",
    "tries_used",
)


class CodeRegradeRefusedError(Exception):
    """It cannot be begun, applied or undone; the message says why, for staff."""


# ---- grading beside


def older_submissions(exercise: Exercise) -> QuerySet[Submission]:
    """Return the submissions that an older version graded, but for code that was deleted."""
    rows = Submission.objects.graded().filter(
        exercise_version__exercise=exercise, kind=Submission.Kind.SUBMIT
    )
    return rows.exclude(exercise_version=exercise.current_id).exclude(code=ERASED_CODE)


@dataclass(frozen=True)
class CodeScope:
    """Whose submissions are graded anew: all of a course, or those that a class shows its staff."""

    cohort: str = ""
    submissions: QuerySet[Submission] | None = None

    def of(self, rows: QuerySet[Submission]) -> QuerySet[Submission]:
        """Return those of some submissions that are in this scope."""
        if self.submissions is None:
            return rows
        return rows.filter(pk__in=self.submissions.order_by().values("pk"))


ALL = CodeScope()


@transaction.atomic
def begin(exercise: Exercise, *, by: User, scope: CodeScope = ALL) -> CodeRegrade:
    """Have older submissions graded beside by the current version.

    Raises CodeRegradeRefusedError.
    """
    version = exercise.current
    if version is None or version.verification != "ok":
        raise CodeRegradeRefusedError("The newest version of the exercise is not verified yet.")
    pack = any_pack(version=version)
    if pack is None:
        raise CodeRegradeRefusedError("No cases are drawn for the new version yet.")
    rows = scope.of(older_submissions(exercise)).order_by("pk")
    found = list(rows.values_list("pk", "graded_at"))
    if not found:
        raise CodeRegradeRefusedError("No submission was graded by an older version.")
    try:
        with transaction.atomic():
            made = CodeRegrade.objects.create(
                exercise=exercise, to_version=version, pack_id=pack, cohort=scope.cohort, by=by
            )
    except IntegrityError as error:
        words = "Somebody has begun to grade these submissions already: see below."
        raise CodeRegradeRefusedError(words) from error
    TrialVerdict.objects.bulk_create(
        (
            TrialVerdict(regrade=made, submission_id=pk, seen_graded_at=at)
            for pk, at in found
            if at is not None  # they are graded
        ),
        batch_size=CHUNK,
    )
    _log(made, by, f"grading {len(found)} submissions beside", "regrade of code begun")
    return made


def cancel(made: CodeRegrade, *, by: User) -> bool:
    """Stop grading beside and forget what was graded; False where it is not under way any more."""
    with transaction.atomic():
        if not _move(made, State.TRYING, State.CANCELLED):
            return False
        _log(made, by, "nothing was changed", "regrade of code cancelled")
    while keys := list(made.trials.values_list("pk", flat=True)[:CHUNK]):
        TrialVerdict.objects.filter(pk__in=keys).delete()
    return True


def _move(made: CodeRegrade, before: str, after: str, **more: Any) -> bool:
    """Change the state if it is still `before`: of two at once, one does."""
    rows = CodeRegrade.objects.filter(pk=made.pk, state=before)
    return bool(rows.update(state=after, **more))


def _log(made: CodeRegrade, by: User, what: str, act: str, cohort: str = "") -> None:
    about, whose = f"exercise {made}: {what}", cohort or made.cohort
    record(by=by, act=act, about=about, course=made.exercise.course, cohort=whose)


@dataclass(frozen=True)
class TrialLease:
    """The right to grade one copy, until another worker takes it over."""

    trial: TrialVerdict
    code: str
    pack_id: int
    worker: str
    attempt: int


def lease_trial(*, worker: str) -> TrialLease | None:
    """Take the copy that is next, quick ones first; None when none waits.

    Workers ask when no live submission waits for them.
    """
    now = database_time()
    free = Q(leased_until=None) | Q(leased_until__lt=now)
    waiting = TrialVerdict.objects.filter(free, graded_at=None).order_by("slow", "pk")
    _close_used_up(waiting)
    found = waiting.filter(regrade__state=State.TRYING, tries_used__lt=MAX_LEASES)
    trial = found.select_related("submission", "regrade").defer("submission__report").first()
    if trial is None:
        return None
    taken = TrialVerdict.objects.filter(
        free, pk=trial.pk, graded_at=None, tries_used=trial.tries_used
    ).update(leased_until=now + TRIAL_LEASE, leased_by=worker, tries_used=F("tries_used") + 1)
    if not taken:
        return None
    code, pack = trial.submission.code, trial.regrade.pack_id
    return TrialLease(trial, code, pack, worker, trial.tries_used + 1)


def _close_used_up(waiting: QuerySet[TrialVerdict]) -> None:
    used_up = waiting.filter(tries_used=MAX_LEASES).values("pk")[:CHUNK]
    keys = list(used_up.values_list("pk", flat=True))
    if keys:
        rows = TrialVerdict.objects.filter(pk__in=keys, graded_at=None)
        rows.filter(our_failure="").update(our_failure=DIED)
        rows.update(verdict=NOT_GRADED, graded_at=timezone.now(), leased_until=None, leased_by="")


def _held(lease: TrialLease) -> QuerySet[TrialVerdict]:
    return TrialVerdict.objects.filter(
        pk=lease.trial.pk, leased_by=lease.worker, tries_used=lease.attempt, graded_at=None
    )


def record_trial(*, lease: TrialLease, report: Report) -> bool:
    """Write what the judge said of a copy; False when another worker took it over."""
    measured = report.verdict != Verdict.NOT_GRADED
    return bool(
        _held(lease).update(
            verdict=report.verdict.value,
            report=report.as_json(),
            known_mistake=report.known_mistake.slug if report.known_mistake else "",
            cases_passed=report.cases_passed if measured else None,
            cases_total=report.cases_total if measured else None,
            arrays=report.picture.to_bytes() if report.picture else None,
            graded_at=timezone.now(),
            leased_until=None,
            leased_by="",
        )
    )


def give_back_trial(
    *, lease: TrialLease, failure: str = "", counts: bool = True, slow: bool | None = None
) -> None:
    """Free a copy that was not graded; without `counts` the try is not one of three."""
    _held(lease).update(
        leased_until=None,
        leased_by="",
        our_failure=storable_text(failure),
        slow=lease.trial.slow if slow is None else slow,
        tries_used=lease.attempt if counts else lease.attempt - 1,
    )


# ---- what it would change


@dataclass(frozen=True)
class TrialSummary:
    """How far the copies are, and what applying them would change."""

    total: int
    graded: int
    transitions: Sequence[tuple[str, str, int]]  # verdict before, after, how many
    up: int
    down: int
    same: int
    failed: int  # on our side: they stay as they are
    changed_meanwhile: int

    @property
    def is_ready(self) -> bool:
        return self.graded == self.total

    @property
    def percent(self) -> int:
        return 100 * self.graded // self.total if self.total else 100


def summary_of(made: CodeRegrade) -> TrialSummary:
    """Return what applying would change. One query; reports are not read."""
    rows = made.trials.values_list(
        "graded_at",
        "verdict",
        "cases_passed",
        "cases_total",
        "seen_graded_at",
        "submission__graded_at",
        "submission__verdict",
        "submission__cases_passed",
        "submission__cases_total",
    )
    transitions: Counter[tuple[str, str]] = Counter()
    found: Counter[str] = Counter()
    for graded, verdict, passed, total, seen, now, old, old_passed, old_total in rows:
        found["total"] += 1
        if graded is None:
            continue
        found["graded"] += 1
        if verdict == NOT_GRADED:
            found["failed"] += 1
        elif seen != now:
            found["changed"] += 1
        else:
            before, after = _worth(old, old_passed, old_total), _worth(verdict, passed, total)
            found["up" if after > before else "down" if after < before else "same"] += 1
            label = Verdict(verdict).label
            if old != verdict:
                transitions[Verdict(old).label, label] += 1
            elif before != after:
                share = "more" if after > before else "fewer"
                transitions[label, f"{label}, {share} of the cases"] += 1
    return TrialSummary(
        found["total"],
        found["graded"],
        [(before, after, count) for (before, after), count in transitions.most_common()],
        found["up"],
        found["down"],
        found["same"],
        found["failed"],
        found["changed"],
    )


@dataclass(frozen=True)
class VerdictChange:
    """One submission that gets another verdict, or passes another share of the cases."""

    submission: int
    learner: int
    before: str
    after: str


def changes_of(made: CodeRegrade) -> list[VerdictChange]:
    """Return which submissions count otherwise when it is applied, and how. One query."""
    rows = made.trials.filter(
        graded_at__isnull=False, applied_at=None, seen_graded_at=F("submission__graded_at")
    ).exclude(verdict=NOT_GRADED)
    graded = ("verdict", "cases_passed", "cases_total")
    found = rows.order_by("submission").values_list(
        "submission", "submission__learner", *(f"submission__{name}" for name in graded), *graded
    )
    return [
        VerdictChange(pk, learner, _in_words(*facts[:3]), _in_words(*facts[3:]))
        for pk, learner, *facts in found
        if facts[0] != facts[3] or _worth(*facts[:3]) != _worth(*facts[3:])
    ]


def _in_words(verdict: str, passed: int | None, total: int | None) -> str:
    cases = f", {passed or 0} of {total} cases" if total else ""
    return f"{Verdict(verdict).label}{cases}"


def _worth(verdict: str, passed: int | None, total: int | None) -> tuple[int, Decimal]:
    """Return what marks are made of, so that two verdicts can be compared."""
    rank = {Verdict.CORRECT.value: 2, Verdict.CORRECT_OTHER_CONVENTION.value: 1, NOT_GRADED: -1}
    share = Decimal(passed or 0) / total if total else Decimal(0)
    return rank.get(verdict, 0), share


# ---- in their place


def apply_trials(made: CodeRegrade, *, by: User, note: str, nobody_loses: bool) -> int:
    """Put the verdicts of the copies into their submissions; return how many.

    Interrupted, it goes on when it is called again, with the first call's note and choice. Raises
    CodeRegradeRefusedError while copies are graded, and where somebody else was faster.
    """
    with transaction.atomic():
        is_begun = CodeRegrade.objects.filter(pk=made.pk, state=State.APPLYING).exists()
        if not is_begun:
            if made.trials.filter(graded_at=None).exists():
                raise CodeRegradeRefusedError("Not all submissions are graded beside yet.")
            facts = {"note": note, "nobody_loses": nobody_loses, "applied_at": timezone.now()}
            if not _move(made, State.TRYING, State.APPLYING, **facts):
                raise CodeRegradeRefusedError(
                    "Somebody else has applied or cancelled it meanwhile."
                )
    made.refresh_from_db()
    after, count = 0, 0
    while keys := _next_keys(made.trials.filter(applied_at=None), after):
        count += _apply_chunk(made, keys, by)
        after = keys[-1]
    with transaction.atomic():
        if _move(made, State.APPLYING, State.APPLIED):
            _log(
                made, by, f"{made.trials.exclude(applied_at=None).count()} submissions", "regraded"
            )
    return count


def _next_keys(rows: QuerySet[TrialVerdict], after: int) -> list[int]:
    return list(rows.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:CHUNK])


@transaction.atomic
def _apply_chunk(made: CodeRegrade, keys: Collection[int], by: User) -> int:
    trials = _locked(keys)
    done, now = 0, timezone.now()
    for trial in trials:
        row = trial.submission
        if trial.applied_at is not None or trial.verdict == NOT_GRADED:
            continue
        if row.graded_at is None or row.graded_at != trial.seen_graded_at:
            continue
        if made.nobody_loses and _worth(
            trial.verdict, trial.cases_passed, trial.cases_total
        ) < _worth(row.verdict, row.cases_passed, row.cases_total):
            continue
        _swap_in(made, trial, row, by, now)
        done += 1
    _follow(made, [trial for trial in trials if trial.applied_at == now])
    return done


def _locked(keys: Collection[int]) -> list[TrialVerdict]:
    """Return these trials with their submissions, learners locked first."""
    rows = TrialVerdict.objects.filter(pk__in=keys)
    learners = set(rows.values_list("submission__learner", flat=True))
    held = Learner.objects.select_for_update(no_key=True).filter(pk__in=learners)
    list(held.order_by("pk").values_list("pk"))
    submissions = rows.order_by().values("submission")
    locked = Submission.objects.select_for_update(of=("self",)).filter(pk__in=submissions)
    by_key = {row.pk: row for row in locked.order_by("pk")}
    found = list(TrialVerdict.objects.select_for_update().filter(pk__in=keys).order_by("pk"))
    for trial in found:
        trial.submission = by_key[trial.submission_id]
    return found


def _swap_in(made: CodeRegrade, trial: TrialVerdict, row: Submission, by: User, now: Any) -> None:
    """Write the trial's verdict into its submission, and what stood there beside it."""
    assert row.graded_at is not None
    before = {name: getattr(row, name) for name in GRADED}
    before["graded_at"] = row.graded_at.isoformat()
    previous = PreviousVerdict.objects.create(
        submission=row,
        exercise_version_id=row.exercise_version_id,
        verdict=row.verdict,
        report=copy_of(row.report),
        our_failure=row.our_failure,
        graded_at=row.graded_at,
        asked_by=by,
    )
    Submission.objects.filter(pk=row.pk).update(
        exercise_version=made.to_version_id,
        pack=made.pack_id,
        verdict=trial.verdict,
        known_mistake=trial.known_mistake,
        cases_passed=trial.cases_passed,
        cases_total=trial.cases_total,
        report=trial.report,
        our_failure="",
        graded_at=now,
        tries_used=max(1, row.tries_used),
    )
    trial.arrays = _swap_picture(row, trial.arrays)
    trial.applied_at, trial.previous, trial.before = now, previous, before
    trial.save(update_fields=["arrays", "applied_at", "previous", "before"])


def _swap_picture(row: Submission, arrays: bytes | memoryview | None) -> bytes | None:
    """Give a submission another picture; return the one that it had."""
    had = CasePicture.objects.filter(submission=row).values_list("arrays", flat=True).first()
    CasePicture.objects.filter(submission=row).delete()
    if arrays is not None:
        CasePicture.objects.create(submission=row, arrays=bytes(arrays))
    return None if had is None else bytes(had)


# ---- undoing


def later_code_regrades(made: CodeRegrade, scope: CodeScope = ALL) -> list[CodeRegrade]:
    """Return the regrades after this one that changed the same submissions, newest first."""
    ours = applied_trials(made, scope).values("submission")
    later = TrialVerdict.objects.filter(
        regrade__gt=made.pk, applied_at__isnull=False, undone_at=None, submission__in=ours
    )
    return list(CodeRegrade.objects.filter(pk__in=later.values("regrade")))


def applied_trials(made: CodeRegrade, scope: CodeScope = ALL) -> QuerySet[TrialVerdict]:
    """Return what a regrade changed in this scope and nobody took back."""
    rows = made.trials.filter(applied_at__isnull=False, undone_at=None).order_by()
    if scope.submissions is None:
        return rows
    return rows.filter(submission__in=scope.submissions.order_by().values("pk"))


def _refuse_under_a_later_one(made: CodeRegrade, scope: CodeScope = ALL) -> None:
    if later := later_code_regrades(made, scope):
        named = ", ".join(
            f"{one} of {one.at:%-d %B %Y, %H:%M} UTC"
            + (f" by the class {one.cohort}" if one.cohort else "")
            for one in later
        )
        raise CodeRegradeRefusedError(f"Later regrades changed the same submissions: {named}.")


def decline_trials(made: CodeRegrade, *, by: User, scope: CodeScope) -> int:
    """Give the submissions of a class back what they had before a regrade of the whole course.

    Return how many these are. Goes on after an interruption when it is called again. Raises
    CodeRegradeRefusedError.
    """
    with transaction.atomic():
        if not CodeRegrade.objects.filter(pk=made.pk, state=State.APPLIED).exists():
            raise CodeRegradeRefusedError("Somebody else has undone it, or it is not applied.")
        _refuse_under_a_later_one(made, scope)
    keys = sorted(applied_trials(made, scope).values_list("pk", flat=True))
    count = sum(
        _undo_chunk(made, keys[start : start + CHUNK]) for start in range(0, len(keys), CHUNK)
    )
    what = f"{count} submissions of {scope.cohort}"
    _log(made, by, what, "regrade declined", cohort=scope.cohort)
    return count


def undo_trials(made: CodeRegrade, *, by: User) -> int:
    """Give submissions back what they had; return how many. Goes on after an interruption.

    A submission that was graded again by itself since then stays. Raises CodeRegradeRefusedError
    where a later regrade changed the same submissions.
    """
    with transaction.atomic():
        _refuse_under_a_later_one(made)
        is_begun = CodeRegrade.objects.filter(pk=made.pk, state=State.UNDOING).exists()
        facts = {"undone_at": timezone.now(), "undone_by": by}
        if not is_begun and not _move(made, State.APPLIED, State.UNDOING, **facts):
            raise CodeRegradeRefusedError("Somebody else has undone it, or it is not applied.")
    after, count = 0, 0
    rows = applied_trials(made)
    while keys := _next_keys(rows, after):
        count += _undo_chunk(made, keys)
        after = keys[-1]
    with transaction.atomic():
        if _move(made, State.UNDOING, State.UNDONE):
            _log(made, by, f"{count} submissions", "regrade undone")
    return count


@transaction.atomic
def _undo_chunk(made: CodeRegrade, keys: Collection[int]) -> int:
    done, now = [], timezone.now()
    for trial in _locked(keys):
        row, before = trial.submission, trial.before
        if trial.undone_at is not None or row.graded_at != trial.applied_at:
            continue
        previous = trial.previous
        Submission.objects.filter(pk=row.pk).update(
            **{name: before[name] for name in GRADED},
            report=previous.report if previous else row.report,
            graded_at=parse_datetime(before["graded_at"]),
        )
        trial.arrays = _swap_picture(row, trial.arrays)
        trial.undone_at, trial.previous = now, None
        trial.save(update_fields=["arrays", "undone_at", "previous"])
        if previous is not None:
            previous.delete()
        done.append(trial)
    _follow(made, done, back=True)
    return len(done)


# ---- what follows


def _follow(made: CodeRegrade, trials: Sequence[TrialVerdict], *, back: bool = False) -> None:
    """Work out anew the progress and the review cards of the learners of these trials.

    What was there is kept with the trials; `back` gives it back.
    """
    exercise = made.exercise
    by_learner = {trial.submission.learner_id: trial for trial in reversed(trials)}
    learners = list(by_learner)
    rows = Submission.objects.graded().filter(
        exercise_version__exercise=exercise,
        kind=Submission.Kind.SUBMIT,
        learner__in=learners,
    )
    verdicts: dict[int, set[str]] = {}
    mistakes: dict[int, set[str]] = {}
    for learner, verdict, mistake in rows.values_list("learner_id", "verdict", "known_mistake"):
        verdicts.setdefault(learner, set()).add(verdict)
        if mistake:
            mistakes.setdefault(learner, set()).add(mistake)
    kept: dict[int, dict[str, Any]] = {}
    _follow_progress(exercise, verdicts, by_learner, kept, back=back)
    _follow_cards(exercise, trials, mistakes, kept, back=back)
    for learner, trial in by_learner.items():
        if not back and learner in kept:
            trial.before["kept"] = kept[learner]
            trial.save(update_fields=["before"])


def _follow_progress(
    exercise: Exercise,
    verdicts: Mapping[int, set[str]],
    trials: Mapping[int, TrialVerdict],
    kept: dict[int, dict[str, Any]],
    *,
    back: bool,
) -> None:
    known = Progress.objects.filter(
        course=exercise.course_id, kind="exercise", slug=exercise.slug, learner__in=verdicts
    )
    for row in known:
        solves = any(Verdict(one).solves for one in verdicts[row.learner_id])
        state = Progress.State.DONE if solves else Progress.State.NEEDS_WORK
        if state == row.state:
            continue
        now = timezone.now()
        done_at = (row.done_at or now) if solves else None
        had = trials[row.learner_id].before.get("kept", {}).get("progress")
        if back and had and had["state"] == state:
            done_at = parse_datetime(had["done_at"]) if had["done_at"] else None
        told = {"state": row.state, "done_at": row.done_at.isoformat() if row.done_at else None}
        kept.setdefault(row.learner_id, {})["progress"] = told
        Progress.objects.filter(pk=row.pk).update(state=state, done_at=done_at, updated_at=now)


def _follow_cards(
    exercise: Exercise,
    trials: Sequence[TrialVerdict],
    mistakes: Mapping[int, set[str]],
    kept: dict[int, dict[str, Any]],
    *,
    back: bool,
) -> None:
    """Remove cards of mistakes that no submission makes and nobody reviewed; make those lacking."""
    for trial in trials:
        learner = trial.submission.learner_id
        old, new = str(trial.before["known_mistake"]), trial.known_mistake
        gone, come = (new, old) if back else (old, new)
        if gone == come:
            continue
        cards = ReviewCard.objects.filter(learner=learner, course=exercise.course_id, kind=MISTAKE)
        card = cards.filter(slug=f"{exercise.slug}/{gone}", reviews=0).first() if gone else None
        if card is not None and gone not in mistakes.get(learner, ()):
            told = {name: _json(vars(card)[name]) for name in CARD}
            kept.setdefault(learner, {}).setdefault("cards", {})[card.slug] = told
            card.delete()
        if come and _is_mistake(trial, back=back):
            _have_card(cards, exercise, learner, come, trials if back else ())


def _is_mistake(trial: TrialVerdict, *, back: bool) -> bool:
    """Return whether what the submission is named for now is a mistake, not a convention."""
    if back:
        return True  # only what a regrade removed comes back
    report = read_report(trial.report, number=trial.submission_id)
    return bool(report and report.known_mistake and report.known_mistake.kind == "mistake")


def _have_card(
    cards: QuerySet[ReviewCard],
    exercise: Exercise,
    learner: int,
    mistake: str,
    undone: Iterable[TrialVerdict],
) -> None:
    slug = f"{exercise.slug}/{mistake}"
    if cards.filter(slug=slug).exists():
        return
    for trial in undone:
        had = trial.before.get("kept", {}).get("cards", {}).get(slug)
        if had and trial.submission.learner_id == learner:
            times = {"due_at", "reviewed_at", "noted_at"}
            ReviewCard.objects.create(
                **{
                    name: parse_datetime(value) if name in times and value else value
                    for name, value in had.items()
                }
            )
            return
    if not undone:
        ReviewCard.objects.create(
            learner_id=learner,
            course_id=exercise.course_id,
            kind=MISTAKE,
            slug=slug,
            due_at=timezone.now() + FIRST_DUE_AFTER,
        )


def _json(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
