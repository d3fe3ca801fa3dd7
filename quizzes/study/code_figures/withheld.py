"""The views that work of a class withholds: those of the figures of its exercises.

Next to a learner's own numbers such a view would say whether they are right. So where open work
hides the solution from a reader, a page that shows numbers does not lead to it.
"""

from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_answers


def withheld_views(learner: Learner | None) -> set[tuple[str, str]]:
    """Return encoding and view of each figure whose reference is hidden now from a learner.

    One query where anything is hidden, none elsewhere.
    """
    hidden = {
        (item.course, item.slug)
        for item in hidden_answers(learner)
        if item.kind in ("exercise", "solution")
    }
    if not hidden:
        return set()
    courses, slugs = zip(*hidden, strict=True)
    rows = Exercise.objects.filter(course__in=courses, slug__in=slugs, current__isnull=False)
    rows = rows.select_related("current")
    views = set()
    for row in rows.defer(*(f"current__{name}" for name in ExerciseVersion.notes)):
        if row.current is None or (row.course_id, row.slug) not in hidden:
            continue
        row.current.exercise = row  # so that nothing asks for it again
        if (figure := row.current.definition.figure) is not None:
            views.add((figure.encoding, figure.view))
    return views
