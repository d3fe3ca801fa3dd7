"""Whose submission may be seen: one's own, and every one by instructors. Others do not exist."""

from django.http import Http404, HttpRequest

from quizzes.exercises.models import Submission
from quizzes.learners.services import current_learner


def sees_everything(request: HttpRequest) -> bool:
    """Say whether this visitor may read submissions of other people."""
    user = request.user
    return user.is_authenticated and (
        user.is_staff or user.is_instructor or user.has_perm("exercises.view_submission")
    )


def visible_submission(request: HttpRequest, slug: str, number: int) -> Submission:
    """Return the submission, or raise Http404 when it is not this visitor's to see."""
    found = (
        Submission.objects.filter(pk=number, exercise_version__exercise__slug=slug)
        .select_related("exercise_version__exercise")
        .defer("exercise_version__files", "exercise_version__proof")
        .first()
    )
    if found is not None:
        learner = current_learner(request)
        if learner is not None and learner.pk == found.learner_id:
            return found
        if sees_everything(request):
            return found
    raise Http404(f"submission {number} is not yours or does not exist")
