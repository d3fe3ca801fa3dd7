"""The card after "Correct": a wrong program, a field for arguments, and what came of them."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID, uuid4

from django.utils.safestring import SafeString

from quizzes.courses.addresses import counterexample_address
from quizzes.exercises.counterexamples.choice import WrongProgram, choose_program, is_offered
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.runs.rows import call_to_start_from
from quizzes.exercises.services import exercise_to_read
from quizzes.exercises.solution import solution_state
from quizzes.exercises.submission_history import Tries
from quizzes.learners.models import Learner
from quizzes.pages.markdown import highlight_code


@dataclass(frozen=True)
class Card:
    """What the card shows. `call`: what stands in its field; `key`: of the form."""

    program: WrongProgram
    address: str
    solution_address: str
    call: str
    key: UUID

    @cached_property
    def code_html(self) -> SafeString:
        return highlight_code(self.program.code, "python")


def card_after(
    submission: Submission, learner: Learner | None, *, tries: Tries | None
) -> Card | None:
    """Return the card after a right Submit of the learner, by the current version's mistakes.

    None where none is offered. Two queries: what classes hide from the learner, which is mostly
    known by then, and what most others did wrong.
    """
    row = submission.exercise_version.exercise
    exercise = exercise_to_read(row.course, row.slug)
    if exercise is None:
        return None
    return offered_card(exercise, learner, tries=tries)


def offered_card(
    exercise: Exercise,
    learner: Learner | None,
    *,
    tries: Tries | None = None,
    call: str | None = None,
) -> Card | None:
    """Return the card of a learner who solved the exercise; None where none is offered."""
    if learner is None or exercise.current is None:
        return None
    if not is_offered(solution_state(exercise=exercise, learner=learner, tries=tries)):
        return None
    program = choose_program(exercise=exercise, learner=learner)
    if program is None or not program.code:
        return None
    return card_of(exercise, program, call=call)


def card_of(exercise: Exercise, program: WrongProgram, *, call: str | None = None) -> Card:
    """Return the card of a wrong program.

    Without a `call` its field has that of a shown case which the program passes: one where it fails
    would be the answer.
    """
    assert exercise.current is not None
    if call is None:
        call = call_to_start_from(exercise.current, passing=program.mistake)
    return Card(
        program=program,
        address=counterexample_address(exercise.course.slug, exercise.slug),
        solution_address=exercise.solution_address,
        call=call,
        key=uuid4(),
    )
