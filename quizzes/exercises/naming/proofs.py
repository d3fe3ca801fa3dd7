"""The proofs of drafts as a worker takes them: leased, renewed, ended or given back."""

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import F, QuerySet

from quizzes.exercises.models import Exercise, MistakeDraft
from quizzes.exercises.models.submission import unleased
from quizzes.exercises.naming.drafts import files_with
from quizzes.exercises.queue.clock import database_time
from quizzes.grader.api import storable
from quizzes.grader.definitions import ExerciseDefinition, hash_files, read_definition

MOST_TRIES = 3
LEASE_LASTS = timedelta(seconds=30)  # renewed while it goes on
UNFINISHED = "The proof was started three times but never finished."
State = MistakeDraft.State


def lease_proof() -> MistakeDraft | None:
    """Take the draft whose proof was wanted first, None when none waits."""
    _end_hopeless()
    now = database_time()
    free = MistakeDraft.objects.filter(unleased(now), state=State.WAITING)
    for draft in free.select_related("exercise__current").order_by("asked_at", "pk"):
        same = MistakeDraft.objects.filter(
            unleased(now),
            pk=draft.pk,
            state=State.WAITING,
            asked_at=draft.asked_at,
            tries_used=draft.tries_used,
        )
        if same.update(leased_until=now + LEASE_LASTS, tries_used=F("tries_used") + 1):
            draft.tries_used += 1
            return draft
    return None


def renew_proof(*, draft: MistakeDraft) -> bool:
    """Hold a draft for another while; False when somebody stopped the proof."""
    return bool(_own(draft).update(leased_until=database_time() + LEASE_LASTS))


def note_stage(*, draft: MistakeDraft, stage: str) -> bool:
    """Note which file is run; False when somebody stopped the proof."""
    return bool(_own(draft).update(stage=stage))


def is_outdated(draft: MistakeDraft) -> bool:
    """Say whether learners get another version by now than the one that a proof began with."""
    exercises = Exercise.objects.filter(pk=draft.exercise_id)
    return not exercises.filter(current=draft.exercise.current_id).exists()


def definition_with(draft: MistakeDraft) -> ExerciseDefinition:
    """Return the exercise with a draft's file. Raises DefinitionError."""
    return read_definition(draft.exercise.slug, files_with(draft))


def end_proof(*, draft: MistakeDraft, problems: Iterable[str], fingerprint: str) -> None:
    """Write the result of a proof. `fingerprint`: that of code which makes the new mistake."""
    problems = list(problems)
    _own(draft).update(
        state=State.REFUSED if problems else State.PROVED,
        problems=storable(problems),
        names_group=fingerprint == draft.fingerprint,
        proved_hash="" if problems else hash_files(files_with(draft)),
        stage="",
        leased_until=None,
    )


def give_back_proof(*, draft: MistakeDraft, failure: str = "") -> None:
    """Free a draft whose proof failed on our side; without a `failure` the try does not count."""
    if failure:
        _own(draft).update(leased_until=None, stage="", problems=storable([failure]))
    else:
        _own(draft).update(leased_until=None, stage="", tries_used=F("tries_used") - 1)


def _end_hopeless() -> None:
    """End what was tried too often. What nobody has begun yet waits: it may be for other work."""
    waiting = MistakeDraft.objects.filter(unleased(database_time()), state=State.WAITING)
    waiting.filter(tries_used__gte=MOST_TRIES).update(state=State.FAILED, problems=[UNFINISHED])


def _own(draft: MistakeDraft) -> QuerySet[MistakeDraft]:
    return MistakeDraft.objects.filter(
        pk=draft.pk,
        state=State.WAITING,
        asked_at=draft.asked_at,
        tries_used=draft.tries_used,
        leased_until__isnull=False,
    )
