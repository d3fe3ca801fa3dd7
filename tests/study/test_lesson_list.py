"""The list of lessons: parts that fold, what hangs on a stop, and what its ring says."""

import re

import pytest
from django.test import Client

from quizzes.concepts.files import Concept, MapSource, save_map
from quizzes.learners.models import Learner
from quizzes.learners.services import record_progress
from quizzes.lessons.models import Lesson
from tests.courses import at, some_course
from tests.factories import create_exercise, create_lesson, create_question, create_quiz
from tests.study.learner_story import (
    Story,
    assign_to_class,
    begin,
    create_small_course,
    join,
    take,
)
from tests.study.long_course import create_long_course
from tests.study.next_situations import HIDDEN

pytestmark = pytest.mark.django_db


def parts(client: Client, query: str = ""):
    answer = client.get(at(f"/learn/{query}"))
    assert answer.status_code == 200
    return answer.context["parts"]


def shape(client: Client) -> dict[str, list[int]]:
    return {part.title: [stop.number for stop in part.stops] for part in parts(client)}


def lessons_of(families: str) -> None:
    """Create a lesson for each letter, which is its family; "-" for one without."""
    concepts = []
    for number, family in enumerate(families, 1):
        create_lesson(f"lesson-{number}", ["one", "two"], number=number)
        if family != "-":
            concept, step = f"concept-{number}", f"lesson-{number}/one"
            concepts.append(Concept(concept, concept, "A summary.", (), (step,), (), family))
    save_map(some_course(), MapSource(some_course().slug, "map.yaml", 1, tuple(concepts)))


def words_of(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def stop_of(client: Client, slug: str) -> str:
    html = client.get(at("/learn/")).content.decode().partition('class="line"')[2]
    return next(stop for stop in html.split('<li class="stop') if f'id="{slug}"' in stop)


def read(client: Client, *paths: str) -> Learner:
    for path in paths:
        client.post(at(f"/learn/{path}/"))
    return Learner.objects.get()


def ask(slug: str, step: str) -> None:
    question = create_question(slug)
    question.current.step = step
    question.current.save()


def test_a_family_opens_one_part(client: Client) -> None:
    lessons_of("ABBACA")
    assert shape(client) == {"A": [1], "B": [2, 3, 4], "C": [5, 6]}


def test_a_lesson_without_a_family_stays(client: Client) -> None:
    lessons_of("-A-BB-")
    assert shape(client) == {"A": [1, 2, 3], "B": [4, 5, 6]}


def test_a_course_may_have_no_families(client: Client) -> None:
    create_lesson("first", number=1)
    create_lesson("second", number=2)
    assert shape(client) == {"All lessons": [1, 2]}


def test_a_long_part_is_cut(client: Client) -> None:
    lessons_of("A" + "B" * 13)
    names = {
        "A": [1],
        "B, lessons 2 to 5": [2, 3, 4, 5],
        "B, lessons 6 to 10": [6, 7, 8, 9, 10],
        "B, lessons 11 to 14": [11, 12, 13, 14],
    }
    assert shape(client) == names


def test_no_part_of_a_long_course_is_long(client: Client) -> None:
    create_long_course(20, 40)
    there = parts(client)
    assert [stop.number for part in there for stop in part.stops] == [*range(1, 21)]
    assert max(len(part.stops) for part in there) <= 6


def test_a_newcomer_sees_the_first_part_open(client: Client) -> None:
    lessons_of("AABB")
    html = client.get(at("/learn/")).content.decode()
    assert [part.is_open for part in parts(client)] == [True, False]
    assert re.findall(r'<details class="part family--(\d)"\s*(open)?', html) == [
        ("1", "open"),
        ("2", ""),
    ]
    assert html.count("stop--open") == 1
    assert "Start" in words_of(stop_of(client, "lesson-1"))


def test_the_part_under_way_is_open(client: Client) -> None:
    lessons_of("AABB")
    read(client, "lesson-1/one", "lesson-1/two", "lesson-3/one")
    assert [part.is_open for part in parts(client)] == [False, True]
    stop = words_of(stop_of(client, "lesson-3"))
    assert "You are here" in stop
    assert "Continue with “Two”" in stop
    assert 'aria-current="true"' in stop_of(client, "lesson-3")


def test_work_elsewhere_leaves_the_begun_lesson_open(client: Client) -> None:
    """The next thing belongs to no lesson: the deck of cards goes on."""
    lessons_of("AABB")
    create_lesson("deck", ["card", "next"], number=9, form=Lesson.Form.CARDS)
    read(client, "lesson-3/one")
    client.post(at("/deep-dive/1/"))
    html = client.get(at("/learn/")).content.decode()
    assert [part.is_open for part in parts(client)] == [False, True]
    assert "You are here" not in html
    assert 'class="button button--quiet"' in stop_of(client, "lesson-3")


def test_a_finished_course_folds_all_parts(client: Client) -> None:
    lessons_of("AB")
    read(client, *(f"lesson-{number}/{step}" for number in (1, 2) for step in ("one", "two")))
    assert [part.is_open for part in parts(client)] == [False, False]


def test_quiz_and_exercise_hang_on_their_lesson(client: Client) -> None:
    lessons_of("AB")
    ask("what", "lesson-2/one")
    create_quiz("order-quiz", [some_course().questions.get(slug="what")])
    create_exercise("order-code", step="lesson-2/two")
    assert "order-quiz" not in stop_of(client, "lesson-1")
    stop = stop_of(client, "lesson-2")
    assert at("/quiz/order-quiz/") in stop
    assert at("/exercises/order-code/") in stop
    assert "Order-quiz 1 question, not taken yet Order-code not tried yet" in words_of(stop)
    learner = read(client, "lesson-2/one")
    for kind, slug, state in (("quiz", "order-quiz", "shaky"), ("exercise", "order-code", "done")):
        record_progress(some_course().pk, learner=learner, kind=kind, slug=slug, state=state)
    words = words_of(stop_of(client, "lesson-2"))
    assert "Order-quiz not all correct yet Order-code solved" in words


@pytest.mark.parametrize("right", [True, False])
def test_a_hidden_quiz_is_submitted_either_way(*, right: bool) -> None:
    create_small_course()
    story = Story()
    assigned = assign_to_class("turns-quiz", 20, **HIDDEN)
    sent = take("turns-quiz", right=right, assigned=True)
    story.tell([join, assigned, sent, begin("order-quiz")])
    with story.clock():
        assert "Turns-quiz submitted" in words_of(stop_of(story.browser, "turns"))
        assert "Order-quiz begun" in words_of(stop_of(story.browser, "order"))


def test_the_button_leads_to_the_next_quiz(client: Client) -> None:
    lessons_of("AB")
    ask("what", "lesson-1/one")
    create_quiz("order-quiz", [some_course().questions.get(slug="what")])
    read(client, "lesson-1/one", "lesson-1/two")
    stop = stop_of(client, "lesson-1")
    assert "Next · Order-quiz" in words_of(stop)
    button = re.search(r'<a class="button"\s+href="([^"]*)"', stop)
    assert button is not None
    assert button[1] == at("/quiz/order-quiz/")


def test_a_ring_counts_concepts_by_state(client: Client) -> None:
    create_lesson("order", ["one", "two", "three"])
    concepts = []
    for step in ("one", "two", "three"):
        ask(f"about-{step}", f"order/{step}")
        concepts.append(Concept(step, step, "A summary.", (), (f"order/{step}",), (), "A"))
    save_map(some_course(), MapSource(some_course().slug, "map.yaml", 1, tuple(concepts)))
    assert parts(client)[0].ring.words == ""
    read(client, "order/one", "order/two")
    option = some_course().questions.get(slug="about-one").current.options.get(is_key=True)
    client.post(at("/questions/about-one/answer/"), {"option": option.pk, "step": "order/one"})
    (part,) = parts(client)
    assert part.stops[0].ring.counts == (1, 0, 1)
    assert part.ring.arcs == [("seen", 67), ("practised", 33), ("mastered", 33)]
    words = words_of(stop_of(client, "order"))
    assert "2 of 3 read · 1 of 3 concepts mastered" in words
    assert "Of 3 concepts: 1 mastered, 1 seen." in words


def test_a_ring_without_concepts_counts_steps(client: Client) -> None:
    create_lesson("order", ["one", "two", "three", "four"])
    read(client, "order/one")
    (part,) = parts(client)
    assert part.ring.arcs == [("seen", 25)]
    assert part.ring.words == "Of 4 steps: 1 seen."
    assert "concepts mastered" not in words_of(stop_of(client, "order"))


def test_only_the_open_stop_has_the_whole_summary(client: Client) -> None:
    summary = "It begins. It goes on."
    create_lesson("first", number=1, summary=summary)
    create_lesson("second", number=2, summary=summary, prerequisites=["numbers"])
    assert summary in words_of(stop_of(client, "first"))
    words = words_of(stop_of(client, "second"))
    assert "It begins." in words
    assert "It goes on." not in words
    assert "You need: numbers." in words


def test_a_lesson_being_written_has_no_link(client: Client) -> None:
    create_lesson("later", [])
    stop = stop_of(client, "later")
    assert "Being written." in words_of(stop)
    assert at("/learn/later/") not in stop
