"""The facts of an ending, read for the page that shows it.

What an ending costs beyond the page without one: of a quiz the learner's answers in the course, of
an exercise these, the earlier submissions with a mistake and the arrays of a picture, of a lesson
the answers, and the wrong ones with their options. Three queries at most, and two more where an
attempt is from before a step was renamed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from quizzes.assessment.models import Response
from quizzes.assessment.presenters import QuestionContext, Result, response_contexts
from quizzes.courses.addresses import step_address
from quizzes.courses.models import Course, OldName
from quizzes.courses.old_names import new_names
from quizzes.exercises.models import ExerciseVersion, Submission
from quizzes.exercises.services import exercise_to_read
from quizzes.exercises.templatetags.code_words import code_words
from quizzes.grader.api import DefinitionError
from quizzes.grader.definitions import ExerciseDefinition
from quizzes.learners.models import Learner
from quizzes.lessons.course_lessons import course_lessons
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import progress_in
from quizzes.study.concept_states import ConceptState, concept_states, concepts_of_lesson
from quizzes.study.endings.rules import Code, EndingFacts, Miss, step_to_read
from quizzes.study.misconceptions import mistakes_before
from quizzes.study.next_thing import Recommendation
from quizzes.study.own_answers import AnsweredQuestion, answered_questions


def lesson_facts(course: Course, learner: Learner, slug: str) -> EndingFacts | None:
    """Return the facts of a lesson, None unless all of it is read. Three queries at most."""
    lesson = next((row for row in course_lessons(course) if row.slug == slug), None)
    if lesson is None or not progress_in(learner=learner, lessons=[lesson])[lesson.pk].complete:
        return None
    steps, rows = steps_to_read(course), answered_questions(course, learner)
    answers = [answer for answer in rows if answer.step.startswith(f"{slug}/")]
    right, total = sum(answer.is_right for answer in answers), len(answers)
    misses = list(_misses_in_lesson(answers))
    now = _addresses_now(course, steps, {miss.step for miss in misses})
    return EndingFacts(
        "lesson",
        lesson.title,
        number=f"{right} of {total}" if right else "",  # none right is no number to be glad of
        label="questions right on the first try",
        deeper=lesson.deeper_steps,
        misses=[replace(miss, step=now.get(miss.step, "")) for miss in misses],
        concepts=_of_lesson(course, learner, lesson),
        steps=steps,
    )


def quiz_facts(
    course: Course, learner: Learner, questions: Sequence[QuestionContext], minutes: str
) -> EndingFacts:
    """Return the facts of an attempt; nothing of how it went where any answer is hidden."""
    if any(question.hidden for question in questions):
        return EndingFacts("quiz", "", is_hidden=True)
    result = Result.of(questions)
    steps = steps_to_read(course)
    now = _addresses_now(course, steps, {question.step_url for question in questions})
    return EndingFacts(
        "quiz",
        "",
        right=result.right,
        total=result.total,
        share=float(result.earned / result.possible) if result.possible else 1,
        number=minutes,
        label=", ".join(filter(None, ("from start to end", result.points))),
        misses=[replace(miss, step=now.get(miss.step, "")) for miss in _misses(questions)],
        concepts=_about(course, learner, {steps[address].slug for address in now.values()}),
        steps=steps,
    )


def exercise_facts(
    course: Course, learner: Learner, submission: Submission, number: str, label: str
) -> EndingFacts:
    """Return the facts of a submission that solved its exercise."""
    exercise = submission.exercise_version.exercise
    mistakes, pictures = mistakes_before(submission)
    steps = steps_to_read(course)
    explained = {step_address(course.slug, mistake.step) for mistake in mistakes}
    now = _addresses_now(course, steps, explained)
    whole = exercise_to_read(course, exercise.slug)
    definition = _definition_of(whole.current if whole is not None else None)
    standing = concept_states(course, learner)[1]
    return EndingFacts(
        "exercise",
        submission.exercise_version.title,
        number=number,
        label=label,
        code=Code(
            definition.signature.partition(" ->")[0] if definition else exercise.slug,
            count_own_lines(submission.code, definition.starter if definition else ""),
            pictures,
        ),
        misses=[
            Miss(
                now.get(step_address(course.slug, mistake.step), ""),
                reason=code_words(mistake.sentence),
                times=mistake.times,
            )
            for mistake in mistakes
        ],
        concepts=[state for state in standing if exercise.slug in state.concept.exercises],
        steps=steps,
    )


def _definition_of(version: ExerciseVersion | None) -> ExerciseDefinition | None:
    """Return what an exercise asks for, None where its files cannot be read."""
    try:
        return version.definition if version is not None else None
    except DefinitionError:
        return None


def count_own_lines(code: str, starter: str) -> int:
    """Return how many lines of a program are not in its starter, without empty ones.

    A line of the starter that was only moved or indented is still the starter's.
    """
    return (_lines_of(code) - _lines_of(starter)).total()


def _lines_of(program: str) -> Counter[str]:
    return Counter(filter(None, map(str.strip, program.splitlines())))


def steps_to_read(course: Course) -> dict[str, Recommendation]:
    """Return the steps of a course as things to read, by their addresses, in its order."""
    return {
        address: step_to_read(course.slug, path, step.title, address, step.reading_seconds)
        for lesson in course_lessons(course)
        for step in (*lesson.path_steps, *lesson.deeper_steps)
        for path in [f"{lesson.slug}/{step.slug}"]
        for address in [step_address(course.slug, path)]
    }


def _addresses_now(
    course: Course, steps: Mapping[str, Recommendation], addresses: Set[str]
) -> dict[str, str]:
    """Return the addresses that steps have now, by those they had; without steps that are gone.

    A question of an attempt, and a mistake in code, name a step as it was called then. No query
    where each is a step's name.
    """
    former = {
        address: "/".join(address.rstrip("/").split("/")[-2:])
        for address in addresses - steps.keys() - {""}
    }
    moved = new_names(course, OldName.Kind.STEP, set(former.values())) if former else {}
    now = {address: step_address(course.slug, moved.get(path)) for address, path in former.items()}
    now |= {address: address for address in addresses & steps.keys()}
    return {old: new for old, new in now.items() if new in steps}


def _of_lesson(course: Course, learner: Learner, lesson: Lesson) -> list[ConceptState]:
    """Return the states of the concepts that its ring counts; of none, those that it explains."""
    own = concepts_of_lesson(concept_states(course, learner)[1], lesson.slug)
    paths = {f"{lesson.slug}/{step.slug}" for step in lesson.path_steps}
    return own or _about(course, learner, paths)


def _about(course: Course, learner: Learner, paths: set[str]) -> list[ConceptState]:
    """Return the states of the concepts that some of these steps explain."""
    standing = concept_states(course, learner)[1]
    return [state for state in standing if any(step.slug in paths for step in state.steps)]


# ---- wrong answers


def _misses_in_lesson(answers: Iterable[AnsweredQuestion]) -> Iterator[Miss]:
    """Yield the first answers inside a lesson that were wrong. Two queries where there are any."""
    keys = [answer.key for answer in answers if not answer.is_right]
    if not keys:
        return
    rows = Response.objects.filter(pk__in=keys).select_related(
        "version__question__course", "instance"
    )
    yield from _misses(response_contexts(rows))


def _misses(questions: Iterable[QuestionContext]) -> Iterator[Miss]:
    for question in questions:
        if not (question.right or question.is_dropped or question.hidden):
            claim, reason = _misconception(question)
            yield Miss(question.step_url, claim, reason)


def _misconception(question: QuestionContext) -> tuple[str, str]:
    """Return what a wrong answer claims, and why it is not so; "" where only the key is known."""
    number = question.number_answer
    if number is not None:
        return (number.typed, number.miss) if number.miss else ("", "")
    for option in question.options:
        if option.chosen and not option.is_key:
            return option.text or option.alt, option.reason
    return "", ""
