"""Work in one course shows nothing in another, although every name is in both.

A learner does everything in one of two courses of equal names. What every page and every function
says of the other course must be what it says to a learner who has done nothing.
"""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone

from quizzes.assessment.lesson_block import answered_in
from quizzes.assessment.models import Attempt, Question, Quiz, Response
from quizzes.assessment.selection import draw_with_mistake
from quizzes.assessment.services import history_of, quizzes_with_counts
from quizzes.concepts.files import map_of
from quizzes.courses.models import Course
from quizzes.exercises.models import Draft, Exercise, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.services import history, published_exercises
from quizzes.exercises.summary import group_exercises
from quizzes.grader.api import Verdict
from quizzes.grader.judge import KnownMistake, Report
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.services import (
    due_cards,
    due_count,
    note_missed,
    note_outcomes,
    progress_of,
    record_progress,
)
from quizzes.lessons.models import Lesson
from quizzes.lessons.services import course_places, progress_in
from quizzes.limits.learner_cookie import FORMER_NAME as COOKIE
from quizzes.pages.blocks import PageContext
from quizzes.study.concept_states import concept_states, steps_to_review
from quizzes.study.misconceptions import code_mistakes, misconceptions_of
from quizzes.study.my_data import export_of
from quizzes.study.next_actions import next_actions
from quizzes.study.progress_overview import progress_overview
from quizzes.study.review_pages import next_due
from tests.courses import at
from tests.exercises.making import hand_in, lease
from tests.factories import assign, browser_of, create_class, create_member
from tests.study.next_request import next_for
from tests.study.questions import next_day
from tests.study.twin_courses import ONE, TWO, load_twins

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

EMBEDDED = "divided-too-much"  # in the step of the same lesson
EMBEDDED_STEP = "attention-by-hand/scaled-scores"
INLINE, DRAWN, CODE = "mask-by-zero", "weight-beside-a-hidden-key", "softmax-rows"
READ, INLINE_STEP = "many-heads/splitting-heads", "attention-by-hand/hiding-keys"
PREDICTED = "many-heads/no-order"
MISTAKE = f"{CODE}/mask_zero"
MADE = Report(
    Verdict.KNOWN_MISTAKE,
    known_mistake=KnownMistake("mask_zero", "mistake", "Scores of 0.", INLINE_STEP, "2. Hide."),
)
PAGES = (
    "/",
    "/learn/",
    "/learn/many-heads/",
    "/learn/many-heads/splitting-heads/",
    "/learn/many-heads/no-order/",
    f"/learn/{EMBEDDED_STEP}/",
    "/deep-dive/",
    "/deep-dive/1/",
    "/quiz/",
    "/quiz/attention-quiz/",
    "/exercises/",
    "/exercises/softmax-rows/",
    "/map/?focus=soft-lookup",
    "/map/outline/",
    "/progress/",
    "/practice/weight-beside-a-hidden-key/",
)


@pytest.fixture
def twins(db) -> tuple[Course, Course]:
    return load_twins()


@pytest.fixture
def learner(twins) -> Learner:
    return Learner.objects.create()


@pytest.fixture
def browser(learner) -> Client:
    """The browser of a learner who has a row already, so that only the work makes a difference."""
    browser = Client()
    browser.cookies[COOKIE] = signing.dumps(str(learner.uuid), salt=COOKIE)
    return browser


def wrong_option(course: Course, slug: str) -> int:
    question = Question.objects.get(course=course, slug=slug)
    option = question.current.options.filter(is_key=False, instance=None).first()
    return (option or question.current.options.filter(is_key=False).first()).pk


def work(browser: Client, course: Course, learner: Learner) -> None:
    """Read, predict, answer wrong everywhere, begin a quiz again, keep a draft, hand in code."""

    def post(path: str, **data: object) -> str:
        answer = browser.post(at(path, course.slug), data)
        assert answer.status_code in {200, 302}, (path, answer.status_code)
        return answer.headers.get("Location", "")

    post(f"/learn/{READ}/")
    post(f"/learn/{PREDICTED}/predict/equal/", predicted="2")
    post("/deep-dive/1/")
    asked = wrong_option(course, INLINE)
    post(f"/questions/{INLINE}/answer/", option=asked, step=INLINE_STEP)
    asked = wrong_option(course, EMBEDDED)
    post(f"/questions/{EMBEDDED}/answer/", option=asked, step=EMBEDDED_STEP)
    browser.post(post("/quiz/attention-quiz/"), {"do": "submit-blank"})
    post("/quiz/attention-quiz/")
    post(f"/practice/{DRAWN}/", option=wrong_option(course, DRAWN))
    post(f"/exercises/{CODE}/draft/", code="mine = 1", based_on="")
    exercise = Exercise.objects.select_related("current").get(course=course, slug=CODE)
    hand_in(exercise, learner, code="def softmax_rows(): ...")
    assert leases.record(lease=lease(), report=MADE)


def seen(browser: Client, course: str) -> dict[str, str]:
    """Return the main part of each page of a course, without what differs on every look."""
    found = {}
    for path in PAGES:
        answer = browser.get(at(path, course))
        assert answer.status_code in {200, 302}, (path, answer.status_code)
        main = answer.content.decode().partition("<main")[2]
        once = r'(name="(?:csrfmiddlewaretoken|key)"[^>]* value|data-owner|nonce)="[^"]*"'
        found[path] = answer.headers.get("Location", "") + re.sub(once, r"\1", main)
    return found


def test_work_in_one_course_is_on_its_pages_and_on_none_of_the_other(twins, browser, learner):
    one, _ = twins
    before, elsewhere = seen(browser, ONE), seen(browser, TWO)
    work(browser, one, learner)
    # A review is of all courses, and every page says how much is due.
    ReviewCard.objects.update(due_at=timezone.now() + timedelta(days=1))
    after = seen(browser, ONE)
    assert seen(browser, TWO) == elsewhere
    same = {path for path in PAGES if after[path] == before[path]}
    # Practice asks by numbers not met, which may be the same ones.
    assert same <= {"/practice/weight-beside-a-hidden-key/"}, same


def test_no_page_of_a_course_leads_into_the_other(twins, browser, learner):
    for course, other in (twins, twins[::-1]):
        work(browser, course, learner)
        for path, html in seen(browser, course.slug).items():
            shown = html.partition("Other courses:")[0]
            assert f"/c/{other.slug}/" not in shown, path
            assert not re.search(r'(href|action|hx-post)="/(learn|quiz|exercises|map)', html), path


def answered(course: Course, learner: Learner) -> object:
    lesson, _, step = INLINE_STEP.partition("/")
    context = PageContext(None, learner, course, lesson, step)
    return sorted(answered_in(context, [INLINE]))


def far(course: Course, learner: Learner) -> object:
    lessons = list(Lesson.objects.with_steps().filter(course=course))
    found = progress_in(learner=learner, lessons=lessons)
    return [[state for _, state in found[lesson.pk].steps] for lesson in lessons]


def states(kind: str, *slugs: str):
    return lambda course, learner: progress_of(course.pk, learner, kind, slugs)


def quiz_history(course: Course, learner: Learner) -> object:
    found = history_of(learner, Quiz.objects.get(course=course, slug="attention-quiz"))
    return found.open is None, found.submitted


def handed_in(course: Course, learner: Learner) -> object:
    exercise = Exercise.objects.get(course=course, slug=CODE)
    drafts = exercise.drafts.filter(learner=learner).count()
    return drafts, history(exercise=exercise, learner=learner).count()


def cards(course: Course, learner: Learner) -> object:
    mine = ReviewCard.objects.filter(learner=learner, course=course)
    return sorted(mine.values_list("kind", "slug"))


# Of a learner: functions of a course and a learner, whose answer the work changes.
OF_A_LEARNER = {
    "steps": states("step", READ, PREDICTED, "deep/first"),
    "lessons": states("lesson", "many-heads", "deep"),
    "questions": states("question", INLINE, DRAWN),
    "quizzes": states("quiz", "attention-quiz"),
    "exercises": states("exercise", CODE),
    "progress_in": far,
    "answered_in": answered,
    "history_of": quiz_history,
    "drafts and submissions": handed_in,
    "review cards": cards,
    "misconceptions_of": lambda *who: [one.name for one in misconceptions_of(*who)],
    "code_mistakes": lambda *who: [one.name for one in code_mistakes(*who)],
    "concept_states": lambda *who: [one.state for one in concept_states(*who)[1]],
    "steps_to_review": lambda *who: sorted(steps_to_review(*who)),
    "next_actions": lambda *who: [(one.state, one.act) for one in next_actions(*who)],
    "progress_overview": lambda *who: [
        *((one.open, one.submitted) for one in progress_overview(*who).quizzes),
        *((one.state, one.submissions, one.latest) for one in progress_overview(*who).exercises),
    ],
}


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("name", OF_A_LEARNER)
def test_a_function_of_a_course_sees_the_work_in_this_course_alone(twins, browser, learner, name):
    one, two = twins
    ask, stranger = OF_A_LEARNER[name], Learner.objects.create()
    work(browser, one, learner)
    assert ask(one, learner) != ask(one, stranger)
    assert ask(two, learner) == ask(two, stranger)


def test_what_is_recommended_is_of_the_course_that_is_asked_for(twins, browser, learner):
    """A review may be of any course; without one, a course recommends its own things."""
    one, two = twins
    work(browser, one, learner)
    ReviewCard.objects.all().delete()
    stranger = Learner.objects.create()
    mine, theirs = next_for(one, learner), next_for(two, learner)
    assert mine.address == at(f"/exercises/{CODE}/", ONE)
    assert "Scores of 0." in mine.why
    assert theirs == next_for(two, stranger)
    Submission.objects.all().delete()
    Progress.objects.filter(kind="exercise").delete()
    mine = next_for(one, learner)
    assert mine.address.startswith(f"/c/{ONE}/quiz/attention-quiz/attempt/")
    assert next_for(two, learner) == next_for(two, stranger)


@pytest.mark.parametrize("kind", [Lesson, Exercise])
def test_work_due_elsewhere_marks_nothing_here(twins, kind):
    """The last lesson or exercise of a course is due, and the other has one of its name."""
    one, two = twins
    thing = kind.objects.filter(course=two).exclude(slug="deep").last()
    member = create_member(create_class(course=two))
    member_browser, learner = browser_of(member.user), member.user.learner
    cards = next_actions(one, learner)
    assign(member.cohort, thing, due_at=timezone.now() + timedelta(hours=20))
    following = next_for(one, learner)
    assert following.course == TWO
    assert following.address.startswith(f"/c/{TWO}/")
    assert next_actions(one, learner, following) == cards
    pages = {
        course: member_browser.get(at("/map/", course)).content.decode() for course in (ONE, TWO)
    }
    assert following.address in pages[ONE]
    assert "You are here" not in pages[ONE]
    assert "You are here" in pages[TWO]


# Of a course: functions whose answer has things, and not those of the other course.
OF_A_COURSE = {
    "quizzes_with_counts": quizzes_with_counts,
    "published_exercises": published_exercises,
    "concept_states": lambda course: [
        part.address for one in concept_states(course, None)[1] for part in one.steps
    ],
    "next_actions": lambda course: [one.address for one in next_actions(course, None)],
    "lessons": lambda course: [one for one, _ in progress_overview(course, None).lessons],
    "quizzes": lambda course: [one.quiz for one in progress_overview(course, None).quizzes],
    "tried": lambda course: [one.exercise for one in progress_overview(course, None).exercises],
    "recommended": lambda course: [next_for(course, None).address],
    "groups": lambda course: [
        card.address
        for group in group_exercises(course, published_exercises(course), {})
        for card, _ in group.cards
    ],
}


@pytest.mark.parametrize("name", OF_A_COURSE)
def test_a_course_has_its_own_things_and_as_many_as_its_twin(twins, name):
    def addresses(course: Course) -> list[str]:
        found = OF_A_COURSE[name](course)
        return [one if isinstance(one, str) else one.get_absolute_url() for one in found]

    one, two = twins
    assert addresses(one)
    assert all(address.startswith(f"/c/{ONE}/") for address in addresses(one))
    assert [address.replace(ONE, TWO) for address in addresses(one)] == addresses(two)


def test_a_course_is_ordered_by_its_own_lessons(twins):
    one, two = twins
    Lesson.objects.filter(course=two, slug="many-heads").update(title="Only here", number=9)
    assert "Only here" not in {place.lesson for place in course_places(one.pk)}
    assert [place.step for place in course_places(two.pk)][-1].startswith("many-heads/")
    assert len(course_places(one.pk)) == len(course_places(two.pk)) > 0


def test_a_missed_question_sends_back_to_the_step_of_its_own_course(twins, browser, learner):
    one, two = twins
    work(browser, one, learner)
    mine = steps_to_review(one, learner)
    for question in Question.objects.filter(course=two).select_related("current"):
        question.versions.update(step="only/there")
    assert steps_to_review(one, learner) == mine


def test_a_course_has_its_own_map(twins):
    one, two = twins
    two.concept_map.concepts = two.concept_map.concepts[:1]
    two.concept_map.save()
    assert len(map_of(two).concepts) == 1 < len(map_of(one).concepts)


def test_progress_in_one_course_leaves_a_begun_thing_of_the_other_as_it_is(twins, learner):
    one, two = twins
    for course in twins:
        record_progress(course.pk, learner=learner, kind="exercise", slug=CODE, state="seen")
    for state in ("shaky", "done"):
        record_progress(one.pk, learner=learner, kind="exercise", slug=CODE, state=state)
        assert progress_of(one.pk, learner, "exercise", [CODE]) == {CODE: state}
        assert progress_of(two.pk, learner, "exercise", [CODE]) == {CODE: "seen"}


def test_a_card_of_one_course_is_not_put_off_by_an_answer_in_the_other(twins, learner):
    one, two = twins
    for course in twins:
        note_missed(course.pk, learner=learner, kind="question", slug=INLINE)
    next_day()
    assert due_count(learner) == 2
    note_outcomes(two.pk, learner=learner, kind="question", missed=[], remembered=[INLINE])
    (card,) = ReviewCard.objects.filter(reviews=0)
    assert card.course_id == one.pk
    note_missed(two.pk, learner=learner, kind="question", slug=INLINE)
    card.refresh_from_db()
    assert card.reviews == 0


def test_a_review_asks_the_question_of_its_course(twins, browser, learner):
    _, two = twins
    note_missed(two.pk, learner=learner, kind="question", slug=INLINE)
    next_day()
    assert next_due(due_cards(learner)).drawn.version.question.course == two
    page = browser.get("/review/").content.decode().partition("<main")[2]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    option = re.search(r'name="option"[^>]* value="(\d+)"', page)[1]
    answer = browser.post("/review/", fields | {"option": option}, follow=True)
    assert Response.objects.get().version.question.course == two
    shown = answer.content.decode().partition("<main")[2]
    assert f"/c/{TWO}/learn/{INLINE_STEP}/" in shown
    assert f"/c/{ONE}/" not in shown


def test_a_mistake_comes_back_with_a_question_of_its_course(twins, learner):
    one, two = twins
    offering = Question.objects.get(course=one, slug=DRAWN).current.options.filter(is_key=False)
    offering.update(mistake=MISTAKE)
    assert draw_with_mistake(one.pk, MISTAKE, learner=learner).version.question.course == one
    assert draw_with_mistake(two.pk, MISTAKE, learner=learner) is None
    note_missed(two.pk, learner=learner, kind="mistake", slug=MISTAKE)
    next_day()
    assert next_due(due_cards(learner)) is None


def test_a_mistake_in_code_comes_back_in_its_course(twins, browser, learner):
    one, two = twins
    work(browser, one, learner)
    ReviewCard.objects.all().delete()
    note_missed(two.pk, learner=learner, kind="mistake", slug=MISTAKE)
    next_day()
    assert next_due(due_cards(learner)) is None
    note_missed(one.pk, learner=learner, kind="mistake", slug=MISTAKE)
    next_day()
    assert f"/c/{ONE}/exercises/" in next_due(due_cards(learner)).mistake.exercise_address


def test_an_answer_to_one_course_is_none_to_the_other(twins, browser, learner):
    """An option, an attempt, a submission and a card are of the course that they were made in."""
    one, _ = twins
    work(browser, one, learner)
    option = wrong_option(one, INLINE)
    kept = Response.objects.count()
    data = {"option": option, "step": INLINE_STEP}
    assert browser.post(at(f"/questions/{INLINE}/answer/", TWO), data).status_code in {400, 404}
    assert browser.post(at(f"/practice/{INLINE}/", TWO), data).status_code in {400, 404}
    assert Response.objects.count() == kept
    attempt = Attempt.objects.filter(submitted_at=None).get()
    submitted = Attempt.objects.exclude(submitted_at=None).get()
    sent = Submission.objects.get()
    own = [
        attempt.get_absolute_url(),
        submitted.review_address,
        sent.get_absolute_url(),
        sent.verdict_address,
        sent.report_address,
        f"{sent.exercise_version.exercise.get_absolute_url()}?from={sent.pk}",
    ]
    assert [browser.get(address).status_code for address in own] == [200] * len(own)
    others = [address.replace(ONE, TWO) for address in own]
    assert [browser.get(address).status_code for address in others] == [404] * len(own)


def test_a_step_asks_the_question_of_its_course(twins, browser):
    for course in twins:
        page = browser.get(at(f"/learn/{EMBEDDED_STEP}/", course.slug)).content.decode()
        form = page.partition(f'action="{at(f"/questions/{EMBEDDED}/answer/", course.slug)}"')[2]
        offered = {int(pk) for pk in re.findall(r'name="option"[^>]* value="(\d+)"', form)}
        options = Question.objects.get(course=course, slug=EMBEDDED).current.options
        assert offered == set(options.values_list("pk", flat=True))


def test_the_same_code_is_handed_in_and_kept_to_each(twins, browser, learner):
    key = uuid4()
    for course in twins:
        address = Exercise.objects.get(course=course, slug=CODE).get_absolute_url()
        sent = browser.post(address, {"code": "x = 1", "kind": "submit", "key": str(key)})
        assert sent.status_code == 302
        assert sent.headers["Location"].startswith(f"{address}submissions/")
        assert browser.post(f"{address}draft/", {"code": course.slug}).status_code == 200
    sent_to = [one.exercise_version.exercise.course.slug for one in Submission.objects.all()]
    assert sorted(sent_to) == [ONE, TWO]
    assert {one.exercise.course.slug: one.code for one in Draft.objects.all()} == {
        ONE: ONE,
        TWO: TWO,
    }


def test_an_export_says_of_which_course_each_row_is(twins, browser, learner):
    for course in twins:
        work(browser, course, learner)
    told = export_of(learner=learner, user=None)
    for table in ("progress", "review cards", "responses"):
        assert {row["course"] for row in told[table]} == {ONE, TWO}, table
    answers = [row["course"] for attempt in told["attempts"] for row in attempt["responses"]]
    assert set(answers) == {ONE, TWO}
