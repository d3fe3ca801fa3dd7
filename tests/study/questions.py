"""Questions and mistakes for the tests of review, profile and suggestion."""

from django.utils import timezone

from quizzes.assessment.models import Question, QuestionVersion
from quizzes.grader.judge.report import KnownMistake, Report, Verdict
from quizzes.learners.models import ReviewCard
from quizzes.worker.question_pool import store_instance
from tests.assessment.drawn import made
from tests.courses import some_course
from tests.exercises.making import ready_exercise
from tests.factories import SENTENCE, create_submission

SWAP = KnownMistake("swap", "mistake", SENTENCE, "sinusoidal-values/the-formula", "2. Sine first.")


def next_day():
    """Let a day pass for the review queue: what was missed is due."""
    ReviewCard.objects.update(due_at=timezone.now())


def generated_question(slug="drawn", seeds=range(3)):
    """A question with numbers prepared ahead; `made` offers the same known mistake."""
    question = Question.objects.create(course=some_course(), slug=slug)
    question.current = QuestionVersion.objects.create(
        question=question,
        number=1,
        prompt="Other numbers every time.",
        step="sinusoidal-values/the-formula",
        generator={"generate.py": "def generate(rng, exercise): ..."},
    )
    question.save()
    for seed in seeds:
        store_instance(question.current, made(seed))
    return question


def submission_with_mistake(learner, exercise=None):
    """A graded submission that made the mistake, as the worker leaves it."""
    exercise = exercise or ready_exercise()
    report = Report(Verdict.KNOWN_MISTAKE, known_mistake=SWAP, stdout="my secret")
    stored = {"known_mistake": "swap", "report": report.as_json(), "code": "print('my secret')"}
    return create_submission(exercise, learner, report.verdict.value, **stored)
