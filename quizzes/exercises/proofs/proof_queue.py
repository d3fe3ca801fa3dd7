"""The line of what waits to be proved: one proof a person, the longest wanted first."""

from django.db.models import Q

from quizzes.exercises.models import ExerciseProof, ExerciseVersion, MistakeDraft, ProofRow
from quizzes.exercises.queue.clock import database_time
from quizzes.learners.models import User

PROVED: tuple[type[MistakeDraft] | type[ExerciseProof], ...] = (MistakeDraft, ExerciseProof)
State = ProofRow.State


def has_other_proof(row: ProofRow, by: User) -> bool:
    """Say whether something else of a person waits or is being proved."""
    return any(
        key != row.pk or not isinstance(row, model)
        for model in PROVED
        for key in model._default_manager.filter(asked_by=by, state=State.WAITING).values_list(
            "pk", flat=True
        )
    )


def want_proof(row: ProofRow, by: User) -> None:
    """Put a row at the end of the line; the caller stores it."""
    row.forget_proof()
    row.state, row.asked_at, row.asked_by = State.WAITING, database_time(), by


def versions_waiting() -> int:
    """Count the versions of exercises that wait to be verified, which comes first. One query."""
    waiting = ExerciseVersion.Verification.WAITING
    return ExerciseVersion.objects.filter(verification=waiting).count()


def proofs_waiting() -> int:
    """Count what waits to be proved. Two queries."""
    return sum(rows._default_manager.filter(state=State.WAITING).count() for rows in PROVED)


def number_before(row: ProofRow) -> int:
    """Count what a worker verifies before it proves this."""
    count = versions_waiting()
    for model in PROVED:
        earlier = Q(asked_at__lt=row.asked_at)
        if isinstance(row, model):
            earlier |= Q(asked_at=row.asked_at, pk__lt=row.pk)
        count += model._default_manager.filter(earlier, state=State.WAITING).count()
    return count
