"""Proofs as a worker takes them: leased, renewed, ended or given back.

Proved are drafts of known mistakes, each as the file of a version, and exercises that are written
in the browser. There is one line for both, and one lease.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import F, QuerySet

from quizzes.exercises.models import Exercise, ExerciseProof, MistakeDraft, ProofRow
from quizzes.exercises.models.submission import unleased
from quizzes.exercises.naming.drafts import files_with
from quizzes.exercises.proofs.proof_queue import PROVED
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import storable
from quizzes.grader.definitions import ExerciseDefinition, hash_files, read_definition

MOST_TRIES = 3
LEASE_LASTS = timedelta(seconds=30)  # renewed while it goes on
UNFINISHED = "The proof was started three times but never finished."
State = ProofRow.State
Provable = MistakeDraft | ExerciseProof


def lease_proof() -> Provable | None:
    """Take the row whose proof was wanted first, None when none waits."""
    _end_hopeless()
    now = database_time()
    for row in sorted(_free(now), key=lambda row: (row.asked_at, row.pk)):
        same = _rows(row).filter(
            unleased(now),
            pk=row.pk,
            state=State.WAITING,
            asked_at=row.asked_at,
            tries_used=row.tries_used,
        )
        if same.update(leased_until=now + LEASE_LASTS, tries_used=F("tries_used") + 1):
            row.tries_used += 1
            return row
    return None


def _free(now: Any) -> list[Provable]:
    """Return what waits, of both kinds. Two queries."""
    return [
        row
        for model in PROVED
        for row in model._default_manager.filter(unleased(now), state=State.WAITING).select_related(
            "exercise__current"
        )
    ]


def renew_proof(*, draft: Provable) -> bool:
    """Hold a row for another while; False when somebody stopped the proof."""
    return bool(_own(draft).update(leased_until=database_time() + LEASE_LASTS))


def note_stage(*, draft: Provable, stage: str) -> bool:
    """Note which file is run; False when somebody stopped the proof."""
    return bool(_own(draft).update(stage=stage))


def is_outdated(draft: Provable) -> bool:
    """Say whether learners get another version by now than the one that a proof began with.

    A proof of a whole exercise has all its files and no version.
    """
    if isinstance(draft, ExerciseProof):
        return False
    exercises = Exercise.objects.filter(pk=draft.exercise_id)
    return not exercises.filter(current=draft.exercise.current_id).exists()


def definition_with(draft: Provable) -> ExerciseDefinition:
    """Return the exercise with a draft's files. Raises DefinitionError, DraftRefusedError."""
    files = draft.files if isinstance(draft, ExerciseProof) else files_with(draft)
    return read_definition(draft.exercise.slug, files)


def end_proof(
    *,
    draft: Provable,
    problems: Iterable[str],
    fingerprint: str = "",
    report: Mapping[str, Any] | None = None,
) -> None:
    """Write the result of a proof: of a mistake `fingerprint`, of an exercise `report`.

    `fingerprint`: that of code which makes the new mistake.
    """
    problems = list(problems)
    if isinstance(draft, ExerciseProof):
        proved_hash = draft.content_hash
        facts: dict[str, Any] = {"report": storable(report)}
    else:
        proved_hash = "" if problems else hash_files(files_with(draft))
        facts = {"names_group": fingerprint == draft.fingerprint}
    _own(draft).update(
        state=State.REFUSED if problems else State.PROVED,
        problems=storable(problems),
        proved_hash="" if problems else proved_hash,
        stage="",
        leased_until=None,
        **facts,
    )


def give_back_proof(*, draft: Provable, failure: str = "") -> None:
    """Free a row whose proof failed on our side; without a `failure` the try does not count."""
    if failure:
        _own(draft).update(leased_until=None, stage="", problems=storable([failure]))
    else:
        _own(draft).update(leased_until=None, stage="", tries_used=F("tries_used") - 1)


def _end_hopeless() -> None:
    """End what was tried too often. What nobody has begun yet waits: it may be for other work."""
    now = database_time()
    for model in PROVED:
        waiting = model._default_manager.filter(unleased(now), state=State.WAITING)
        waiting.filter(tries_used__gte=MOST_TRIES).update(state=State.FAILED, problems=[UNFINISHED])


def _rows(draft: Provable) -> QuerySet[Any]:
    return type(draft)._default_manager.all()


def _own(draft: Provable) -> QuerySet[Any]:
    return _rows(draft).filter(
        pk=draft.pk,
        state=State.WAITING,
        asked_at=draft.asked_at,
        tries_used=draft.tries_used,
        leased_until__isnull=False,
    )
