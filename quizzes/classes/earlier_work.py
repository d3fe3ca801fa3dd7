"""Work from before somebody joined a class, which the class will see because it is assigned."""

from quizzes.classes.models import Assignment, Cohort
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner


def earlier_work(cohort: Cohort, learner: Learner | None) -> list[str]:
    """Return the titles of assigned exercises to which a learner submitted before. One query.

    Only a submission to an assigned exercise counts from before joining; nothing else is shown.
    """
    if learner is None:
        return []
    assigned = Assignment.objects.filter(cohort=cohort, is_visible=True, exercise__isnull=False)
    rows = Submission.objects.filter(
        learner=learner,
        kind=Submission.Kind.SUBMIT,
        exercise_version__exercise__in=assigned.values("exercise"),
    )
    titles = rows.order_by().values_list("exercise_version__exercise__current__title", flat=True)
    return sorted(set(titles))
