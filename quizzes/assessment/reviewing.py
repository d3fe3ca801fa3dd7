"""What follows from an answer: the question's progress, and a card in the review queue."""

from collections.abc import Iterable

from quizzes.assessment.models import Response
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import note_missed, note_remembered, record_progress

QUESTION = ReviewCard.Kind.QUESTION


def note_answers(*, learner: Learner, responses: Iterable[Response]) -> None:
    """Note questions as done or shaky; missed ones come to review.

    A question without an answer counts as missed only where it says so: in a submitted attempt.
    Give `version__question` with the responses. Call it inside the transaction of the answer.
    """
    for response in responses:
        slug = response.version.question.slug
        state = Progress.State.DONE if response.is_right else Progress.State.SHAKY
        record_progress(learner=learner, kind=Progress.Kind.QUESTION, slug=slug, state=state)
        if response.is_right:
            note_remembered(learner=learner, kind=QUESTION, slug=slug)
        else:
            note_missed(learner=learner, kind=QUESTION, slug=slug)
