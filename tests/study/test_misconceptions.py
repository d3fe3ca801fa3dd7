"""The profile of known mistakes, across questions and code; the one next thing to do, and why."""

import re
from html import unescape

import numpy as np
import pytest

from quizzes.assessment.models import QuestionVersion, Response
from quizzes.assessment.single_question import SubmittedAnswer, answer_inline
from quizzes.exercises.models import CasePicture, Exercise, ExerciseVersion, Submission
from quizzes.grader.judge import RESERVED_MISTAKES, KnownMistake, Report
from quizzes.grader.judge.picture import crop_around_worst
from quizzes.grader.judge.report import Verdict
from quizzes.learners.models import Learner
from quizzes.learners.services import record_progress
from quizzes.study.misconceptions import CARDS, misconceptions_of, mistakes_to_watch
from tests.courses import at, some_course
from tests.factories import MISTAKE, SENTENCE, create_question, create_submission
from tests.study.next_request import next_for
from tests.study.questions import generated_question, submission_with_mistake

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def learner():
    return Learner.objects.create()


def choose(learner, question, text, step="a/b"):
    option = question.current.options.get(text=text)
    return answer_inline(
        learner=learner, question=question, step=step, answer=SubmittedAnswer(option.pk)
    )


def test_a_visitor_has_none():
    assert misconceptions_of(some_course(), None) == []


def test_one_mistake_is_counted_together_in_code_and_in_questions(learner):
    choose(learner, create_question(), "wrong")
    submission_with_mistake(learner)
    (found,) = misconceptions_of(some_course(), learner)
    assert (found.name, found.in_code, found.in_questions) == (MISTAKE, 1, 1)
    assert found.sentence == SENTENCE
    assert found.step_address == at("/learn/sinusoidal-values/the-formula/")
    assert not found.settled


def test_a_right_answer_later_settles_it(learner):
    question = create_question()
    choose(learner, question, "wrong")
    choose(learner, question, "right", step="a/c")
    assert misconceptions_of(some_course(), learner)[0].settled


@pytest.mark.parametrize("slug", sorted(RESERVED_MISTAKES))
@pytest.mark.parametrize("stored", ["whole", "unreadable", "without its name"])
def test_a_mistake_that_the_judge_names_itself_has_its_sentence(learner, slug, stored):
    made = submission_with_mistake(learner)
    known = RESERVED_MISTAKES[slug]
    report = {
        "whole": Report(Verdict.KNOWN_MISTAKE, known_mistake=known).as_json(),
        "unreadable": {"schema": 99},
        "without its name": Report(Verdict.KNOWN_MISTAKE).as_json(),
    }[stored]
    Submission.objects.filter(pk=made.pk).update(known_mistake=slug, report=report)
    version = ExerciseVersion.objects.filter(pk=made.exercise_version_id)
    version.update(step="sinusoidal-values/code-it")
    (found,) = misconceptions_of(some_course(), learner)
    assert found.name == f"sinusoidal-table/{slug}"
    assert found.sentence == known.sentence
    assert found.step_address == at("/learn/sinusoidal-values/code-it/")


def test_the_second_of_two_mistakes_is_listed_as_well(learner):
    """It is noted for review, and a card without a sentence could never be shown."""
    made = submission_with_mistake(learner)
    first, second = (KnownMistake(slug, "mistake", f"Yes: {slug}.", None, "1.") for slug in "ab")
    report = Report(Verdict.WRONG, known_mistake=first, second_mistake=second).as_json()
    Submission.objects.filter(pk=made.pk).update(known_mistake="a", report=report)
    found = {one.name: one.sentence for one in misconceptions_of(some_course(), learner)}
    assert found == {"sinusoidal-table/a": "Yes: a.", "sinusoidal-table/b": "Yes: b."}


def test_reports_are_read_only_where_they_say_more_than_the_row(learner, monkeypatch):
    """A learner who keeps submitting has many; reading one back checks each of its fields."""
    exercise = submission_with_mistake(learner).exercise_version.exercise
    for _ in range(5):
        submission_with_mistake(learner, exercise)
    second = KnownMistake("both", "mistake", "Yes: both.", None, "1.")
    oldest = Submission.objects.order_by("graded_at").first()
    report = {**oldest.report, "second_mistake": vars(second)}
    Submission.objects.filter(pk=oldest.pk).update(report=report)
    read, whole = [], Report.from_json
    monkeypatch.setattr(Report, "from_json", lambda stored: read.append(1) or whole(stored))
    told = misconceptions_of(some_course(), learner)
    found = {one.name: (one.in_code, one.sentence) for one in told}
    assert found == {MISTAKE: (6, SENTENCE), "sinusoidal-table/both": (1, "Yes: both.")}
    assert len(read) == 2


def test_solving_the_exercise_settles_it(learner):
    made = submission_with_mistake(learner)
    create_submission(made.exercise_version.exercise, learner, "correct")
    assert misconceptions_of(some_course(), learner)[0].settled


def test_a_number_that_a_known_mistake_gives_is_one(learner):
    question = generated_question(seeds=[])
    near = [{"value": "57.3", "reason": SENTENCE, "mistake": MISTAKE}]
    answer = {"value": "18.97", "within": 0.01, "reason": "So.", "near": near}
    QuestionVersion.objects.filter(question=question).update(
        kind="numeric", generator={}, answer=answer
    )
    question.current.refresh_from_db()
    asked = SubmittedAnswer("57.3", version=question.current.pk)
    answer_inline(learner=learner, question=question, step="a/b", answer=asked)
    assert [one.name for one in misconceptions_of(some_course(), learner)] == [MISTAKE]


def test_answers_of_an_open_attempt_tell_nothing_yet(learner):
    question = create_question()
    choose(learner, question, "wrong")
    Response.objects.update(learner=None, step="", attempt=open_attempt(learner, question))
    assert misconceptions_of(some_course(), learner) == []


def open_attempt(learner, question):
    quiz = question.quizzes.model.objects.create(course=some_course(), slug="sums", title="Sums")
    quiz.places.create(question=question, order=1)
    return learner.attempts.create(quiz=quiz)


def test_queries_do_not_grow_with_mistakes(learner, django_assert_max_num_queries):
    for number in range(8):
        choose(learner, create_question(f"question-{number}"), "wrong")
    exercise = submission_with_mistake(learner).exercise_version.exercise
    for _ in range(4):
        submission_with_mistake(learner, exercise)
    course = some_course()
    misconceptions_of(course, learner)  # what is cached of the course
    with django_assert_max_num_queries(5):
        misconceptions_of(course, learner)


def test_mistake_in_question_leads_to_its_step(client, course):
    question = create_question("asked-here")
    wrong = question.current.options.get(text="wrong")
    client.post(at("/questions/asked-here/answer/"), {"option": wrong.pk, "step": "a/b"})
    page = client.get(at("/progress/")).content.decode()
    assert "Mistakes to watch for" in page
    assert SENTENCE in page
    assert "1 time in questions" in page
    assert fix_of(page) == at("/learn/sinusoidal-values/the-formula/")
    assert "The step that explains it" not in page
    assert "small-pictures" not in page


def fix_of(page: str) -> str:
    """Return where the one button "Fix it now" of a page leads."""
    (address,) = re.findall(r'href="([^"]*)">Fix it now</a>', page)
    return address


@pytest.fixture
def code_with_picture(client, course):
    """A visitor's code with a known mistake, and the arrays that show it."""
    client.post(at("/quiz/test-your-understanding/"))
    exercise = Exercise.objects.get(slug="sinusoidal-table")
    made = submission_with_mistake(Learner.objects.get(), prepared(exercise))
    picture = crop_around_worst(np.zeros((3, 4)), np.eye(3, 4))
    CasePicture.objects.create(submission=made, arrays=picture.to_bytes())
    return made


def test_mistake_in_code_shows_its_pictures(client, code_with_picture):
    page = client.get(at("/progress/")).content.decode()
    assert fix_of(page) == at("/exercises/sinusoidal-table/")
    assert "The step that explains it" in page
    shown = re.findall(r'<img src="([^"]+)"\s+alt="([^"]+)"', page)
    assert re.findall(r"<figcaption>([^<]+)</figcaption>", page) == ["Yours", "Expected"]
    assert "Your value in row 0, column 0 is +1." in shown[0][1]
    assert "The reference value in row 0, column 0 is +0." in shown[1][1]
    for address, _ in shown:
        answer = client.get(unescape(address))
        assert answer.status_code == 200
        assert "<text" not in answer.content.decode()  # the cells alone, without axes


def test_card_is_named_by_what_was_done(learner):
    known = KnownMistake("a", "mistake", "You use `d` of 1.5. It should be 2. So.", None, "1.")
    made = submission_with_mistake(learner)
    report = Report(Verdict.KNOWN_MISTAKE, known_mistake=known).as_json()
    Submission.objects.filter(pk=made.pk).update(known_mistake="a", report=report)
    (card,) = mistakes_to_watch(some_course(), learner).cards
    assert (card.does, card.should) == ("You use `d` of 1.5.", "It should be 2. So.")


def test_settled_and_older_mistakes_are_folded(learner):
    exercise = submission_with_mistake(learner).exercise_version.exercise
    create_submission(exercise, learner, "correct")
    for number in range(CARDS + 2):
        question = create_question(f"question-{number}")
        question.current.options.filter(text="wrong").update(mistake=f"table/slip-{number}")
        choose(learner, question, "wrong")
    watched = mistakes_to_watch(some_course(), learner)
    assert len(watched.cards) == CARDS
    assert [(says, len(some)) for says, some in watched.folded] == [
        ("More that are open", 2),
        ("Right since then", 1),
    ]


def test_an_unsolved_exercise_is_suggested_with_the_sentence_it_was_told(course, learner):
    exercise = Exercise.objects.get(slug="sinusoidal-table")
    submission_with_mistake(learner, prepared(exercise))
    record_progress(
        exercise.course_id, learner=learner, kind="exercise", slug=exercise.slug, state="shaky"
    )
    suggested = next_for(some_course(), learner)
    assert suggested.kind == "exercise"
    assert SENTENCE in suggested.why


def prepared(exercise):
    exercise.current.packs.create(seed=1, data=b"")
    return exercise
