"""Steps whose questions a learner missed and has not answered right since."""

from quizzes.assessment.models import Question
from quizzes.learners.models import Learner, Progress


def shaky_steps(learner: Learner | None) -> set[str]:
    """Return "<lesson>/<step>" of every missed question's explanation. One query."""
    if learner is None:
        return set()
    missed = Progress.objects.filter(
        learner=learner, kind=Progress.Kind.QUESTION, state=Progress.State.SHAKY
    )
    asked = Question.objects.filter(slug__in=missed.values("slug"), current__isnull=False)
    return set(asked.values_list("current__step", flat=True))
