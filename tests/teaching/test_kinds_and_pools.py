"""Several right options, texts, points and pools, written in the browser and counted."""

import pytest

from quizzes.assessment.models import Question, Quiz, QuizQuestion
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.learners.models import Learner
from quizzes.teaching.course_results import Facility, facilities, first_answers
from tests.assessment.content import write_question
from tests.assessment.kinds import MULTIPLE, TEXT
from tests.drafts import content_of_draft
from tests.teaching.forms import form, quiz_form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
QUESTION, QUIZ = teach("questions/even/"), teach("quizzes/sums/")


def several(**changes):
    """Return the form of a question with three options, two of them right."""
    fields = form("even", kind="multiple", scoring="per_option") | {
        "text-3": "six",
        "reason-3": "Half of it is three.",
        "key-2": "on",
        "key-3": "on",
        **changes,
    }
    del fields["key"]
    return {name: value for name, value in fields.items() if value is not None}


def typed(**changes):
    fields = form("turns", kind="text", accepts="RoPE\n rotary*", **{"answer-reason": "It turns."})
    return {name: value for name, value in (fields | changes).items() if "-1" not in name}


@pytest.fixture
def even(ada, step):
    ada.post(teach("questions/"), {"slug": "even", "kind": "multiple"})
    return Question.objects.get(slug="even")


def test_a_question_with_several_right_options_from_nothing_to_published(ada, even):
    page = ada.get(QUESTION).content.decode()
    assert page.count('type="checkbox" name="key-') == 4
    assert 'name="scoring"' in page
    ada.post(QUESTION, several(), follow=True)
    even.refresh_from_db()
    version = even.current
    assert (version.kind, version.scoring) == ("multiple", "per_option")
    assert [option.is_key for option in version.options.all()] == [False, True, True]
    ada.post(QUESTION, several(scoring="all_or_nothing"), follow=True)
    even.refresh_from_db()
    assert (even.current.number, even.current.scoring) == (2, "all_or_nothing")
    shown = ada.get(teach("questions/even/versions/2/")).content.decode()
    assert "Scoring" in shown


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"key-3": None}, "Options</a>: mark at least 2 as right"),
        ({"key-1": "on"}, "mark at least 2 as right, and not all of them"),
        ({"scoring": "half"}, "&#x27;half&#x27;: must be one of"),
        ({"reason-3": ""}, "Option 3, reason</a>: must not be empty"),
    ],
)
def test_what_is_missing_in_several_options_is_named(ada, even, changes, words):
    page = ada.post(QUESTION, several(**changes), follow=True).content.decode()
    assert words in page
    assert Question.objects.get(slug="even").current is None
    assert "Count on your fingers." in page  # nothing is lost


def test_a_text_from_nothing_to_published_and_its_faults(ada, step):
    ada.post(teach("questions/"), {"slug": "turns", "kind": "text"})
    address = teach("questions/turns/")
    page = ada.post(address, typed(accepts="ro*pe\n*"), follow=True).content.decode()
    assert "is allowed only at the start or end" in page
    assert "would accept every text" in page
    assert "ro*pe\n*" in page
    ada.post(address, typed(), follow=True)
    version = Question.objects.get(slug="turns").current
    assert version.answer == {"accepts": ["RoPE", "rotary*"], "reason": "It turns."}
    preview = ada.post(teach("questions/turns/preview/"), typed(accepts="sine")).content.decode()
    assert "sine" in preview
    assert "Your answer" in preview


def test_the_second_of_two_editors_keeps_the_text_and_sees_the_difference(ada, even):
    first, second = several(), several(scoring="all_or_nothing")
    ada.post(QUESTION, first)
    page = ada.post(QUESTION, second)
    assert page.status_code == 409
    text = page.content.decode()
    assert "Scoring" in text
    assert 'value="all_or_nothing" selected' in text


# ---- quizzes


def places(quiz):
    found = QuizQuestion.objects.filter(quiz=quiz).select_related("question")
    return [
        (one.question.slug if one.question else f"{one.draw} {one.tag}", str(one.points))
        for one in found
    ]


@pytest.fixture
def tagged(quiz, tmp_path, load):
    for number in range(4):
        write_question(tmp_path, f"even-{number}", MULTIPLE)
    load()
    return quiz


POOLED = {
    "questions": ["three", "pool:1", "one", "pool:2"],
    "points-three": "２,5\u200b",
    "draw-pool:1": "2",
    "tag-pool:1": "sums",
    "points-pool:1": "1",
    "draw-pool:2": "1",
    "tag-pool:2": "sums",
    "points-pool:2": "0.5",
    "shuffle": "on",
    "class_only": "on",
}


def test_points_and_pools_are_published_and_shown_again(ada, tagged):
    ada.post(QUIZ, quiz_form(**POOLED), follow=True)
    tagged.refresh_from_db()
    worth = {"three": "2.50", "2 sums": "1.00", "one": "1.00", "1 sums": "0.50"}
    assert places(tagged) == list(worth.items())
    assert (tagged.shuffle, tagged.class_only) == (True, True)
    page = ada.get(QUIZ).content.decode()
    assert 'name="points-three" value="2.5"' in page
    assert 'name="draw-pool:2" value="1"' in page
    preview = ada.get(f"{QUIZ}preview/").content.decode()
    assert "even-0, even-1, even-2, even-3" in preview
    assert "2.5 points" in preview
    unchanged = ada.post(QUIZ, quiz_form(**POOLED, do="save"), follow=True).content.decode()
    assert "Nothing was changed." in unchanged


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"points-three": "many"}, "points: &#x27;many&#x27;: must be a number above 0"),
        ({"points-three": "-1"}, "points: -1: must be a number above 0"),
        ({"draw-pool:1": "all"}, "draw: &#x27;all&#x27;: must be a whole number"),
        ({"tag-pool:1": ""}, "choose the tag that a pool draws by"),
        ({"draw-pool:1": "9"}, "a pool needs 9 questions with the tag"),
    ],
)
def test_what_is_wrong_with_a_place_is_said_and_stays_typed(ada, tagged, changes, words):
    page = ada.post(QUIZ, quiz_form(**POOLED | changes), follow=True).content.decode()
    assert words in page
    (name, value) = next(iter(changes.items()))
    assert not value or f'name="{name}" value="{value}"' in page
    assert places(Quiz.objects.get(slug="sums"))[0] == ("two", "1.00")


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("button", "order"),
    [
        ("up:pool:2", ["three", "2 sums", "1 sums", "one"]),
        ("down:pool:1", ["three", "one", "2 sums", "1 sums"]),
        ("remove:pool:1", ["three", "one", "1 sums"]),
        ("pool:", ["three", "2 sums", "one", "1 sums", "1 "]),
        ("up:three", ["three", "2 sums", "one", "1 sums"]),
    ],
)
def test_the_buttons_of_pools_work_without_javascript(ada, tagged, button, order):
    ada.post(QUIZ, quiz_form(**POOLED, do=button))
    content = content_of_draft(Quiz.objects.get(slug="sums"))
    found = [
        one if isinstance(one, str) else one.get("slug") or f"{one['draw']} {one['tag']}"
        for one in content["questions"]
    ]
    assert found == order
    assert ada.get(QUIZ).status_code == 200


# ---- statistics


@pytest.mark.both_databases
def test_each_chosen_option_is_counted_and_only_the_whole_is_right(
    ada, course, quiz, tmp_path, load
):
    write_question(tmp_path, "even", MULTIPLE)
    write_question(tmp_path, "turns", TEXT)
    load()
    even, turns = (Question.objects.get(slug=slug) for slug in ("even", "turns"))
    quiz.places.create(question=even, order=8)
    quiz.places.create(question=turns, order=9)
    options = {option.text: option.pk for option in even.current.options.all()}
    for texts, word in (
        (["two", "four", "six"], "rope"),
        (["two", "seven"], "alibi"),
        (["seven"], ""),
        ([], ""),
    ):
        attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
        several_, text = (
            attempt.responses.get(version__question=question) for question in (even, turns)
        )
        chosen = tuple(options[one] for one in texts)
        submit_attempt(attempt=attempt, choices={several_.pk: chosen, text.pk: word})
    found = facilities(course)
    assert found[even.current_id] == Facility(met=4, right=1, answered=3)
    assert found[turns.current_id] == Facility(met=4, right=1, answered=2)
    counts = {
        one.option.text: one.times
        for one in first_answers(course).option_counts([even.current_id])[even.current_id]
    }
    assert counts == {"two": 2, "four": 1, "six": 1, "seven": 2, "nine": 0}
    page = ada.get(teach("questions/even/")).content.decode()
    assert "Left blank" in page
    assert "seven" in ada.get(teach("class/")).content.decode()
