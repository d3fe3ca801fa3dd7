"""Trying generators before anybody is asked: what `check_content` and `draw_question` do."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from quizzes.assessment.generated import Generated
from quizzes.assessment.generating import generate
from quizzes.assessment.sources import QuestionSource
from quizzes.grader.errors import AuthorError
from quizzes.grader.job import Sandbox
from quizzes.grader.sandbox import open_sandbox
from quizzes.pages.source import Fault

A_FEW = range(4)


def generator_faults(
    questions: Iterable[QuestionSource], unproved: Collection[str] = ()
) -> list[Fault]:
    """Run every generator with a few seeds; return the authors' faults.

    A fault of a generator that calls an exercise which is `unproved` (slugs) is told with that:
    it may well be the exercise's.
    Raises SandboxUnavailable and SandboxBroken where there is a generator to run.
    """
    generated = [question for question in questions if question.generator]
    if not generated:
        return []
    with open_sandbox("author") as author:
        return list(_faults(generated, unproved, author))


def draw(question: QuestionSource, seeds: Sequence[int]) -> list[Generated]:
    """Return what a question's generator makes of these seeds. Raises as `generate` does."""
    with open_sandbox("author") as author:
        return generate(question.generator, question.kind, seeds, author)


def _faults(
    questions: Iterable[QuestionSource], unproved: Collection[str], author: Sandbox
) -> Iterator[Fault]:
    for question in questions:
        try:
            generate(question.generator, question.kind, A_FEW, author)
        except AuthorError as error:
            path = question.path.replace("question.yaml", error.path)
            exercise = question.generator.get("exercise")
            first = f" (exercises/{exercise} does not prove itself: mend that first)"
            yield Fault(path, error.line, error.message + (first if exercise in unproved else ""))
