"""Proofs of exercises that are written in the browser: wanted, stopped, and what they hold for."""

from collections.abc import Mapping

from django.db import transaction

from quizzes.exercises.models import Exercise, ExerciseProof, ExerciseVersion
from quizzes.exercises.proofs.proof_queue import has_other_proof, want_proof
from quizzes.learners.models import User

State = ExerciseProof.State


class ProofRefusedError(Exception):
    """No proof was begun; the message says why, and what to do."""


@transaction.atomic
def ask_for_proof(
    *, exercise: Exercise, files: Mapping[str, str], content_hash: str, by: User
) -> None:
    """Have a worker prove these files, in place of what was proved of the exercise before.

    A proof of the same files that waits or runs goes on. Raises ProofRefusedError while something
    else of theirs is proved.
    """
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    facts = {"files": dict(files), "content_hash": content_hash}
    rows = ExerciseProof.objects.select_for_update(of=("self",))
    row, _ = rows.get_or_create(exercise=exercise, defaults=facts)
    if row.state == State.WAITING and row.content_hash == content_hash:
        return
    if has_other_proof(row, by):
        raise ProofRefusedError("Another draft of yours is being proved. Wait until it is done.")
    row.files, row.content_hash, row.report = facts["files"], content_hash, None
    want_proof(row, by)
    row.save()


def stop_proof(exercise: Exercise) -> None:
    """End the proof of an exercise that waits or runs."""
    waiting = ExerciseProof.objects.filter(exercise=exercise, state=State.WAITING)
    waiting.update(state=State.EDITED, stage="", leased_until=None, tries_used=0)


def is_proved(exercise: Exercise, content_hash: str) -> bool:
    """Say whether exactly these files were proved, or are those of a verified version."""
    proofs = ExerciseProof.objects.filter(
        exercise=exercise, state=State.PROVED, proved_hash=content_hash
    )
    verified = ExerciseVersion.objects.filter(
        exercise=exercise,
        content_hash=content_hash,
        verification=ExerciseVersion.Verification.OK,
    )
    return proofs.exists() or verified.exists()


def newest_proof(exercise: Exercise) -> ExerciseProof | None:
    """Return the newest proof of an exercise, None for none. One query."""
    return ExerciseProof.objects.filter(exercise=exercise).first()
