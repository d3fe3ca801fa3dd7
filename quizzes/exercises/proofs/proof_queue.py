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


def number_before(row: ProofRow) -> int:
    """Count what a worker verifies before it proves this."""
    count = ExerciseVersion.objects.filter(
        verification=ExerciseVersion.Verification.WAITING
    ).count()
    for model in PROVED:
        earlier = Q(asked_at__lt=row.asked_at)
        if isinstance(row, model):
            earlier |= Q(asked_at=row.asked_at, pk__lt=row.pk)
        count += model._default_manager.filter(earlier, state=State.WAITING).count()
    return count
