"""How a lesson, a quiz and an exercise end: a table of situations, then the pages."""

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client

from quizzes.assessment.models import Response
from quizzes.concepts.files import Concept, MapSource, map_of, save_map
from quizzes.courses.models import OldName
from quizzes.exercises.models import CasePicture, Exercise
from quizzes.grader.judge.picture import crop_around_worst
from quizzes.learners.models import Learner
from quizzes.lessons.models import Step
from quizzes.study.concept_states import (
    MASTERED,
    PRACTISED,
    SEEN,
    ConceptState,
    Gaps,
    Place,
    evidence_of,
)
from quizzes.study.endings.facts import count_own_lines
from quizzes.study.endings.rules import Ending, EndingFacts, Miss, ending_of, step_to_read
from tests.courses import some_course
from tests.factories import SENTENCE
from tests.study.learner_story import (
    Story,
    answer_in_lesson,
    assign_to_class,
    begin_assigned,
    create_small_course,
    join,
    put_question,
    read,
    solve,
    take,
    wait,
)
from tests.study.next_situations import HIDDEN, ORDER, REST, TURNS, WAVES
from tests.study.questions import submission_with_mistake


def step(slug: str) -> Any:
    return step_to_read("course", f"waves/{slug}", slug.capitalize(), f"/{slug}/", 120)


def concept(slug: str, state: str) -> ConceptState:
    return ConceptState(Concept(slug, slug, "", (), (), ()), state, (), (), (), ())


STEPS = {f"/{slug}/": step(slug) for slug in ("one", "two", "three")}
NEXT = replace(step("next"), reason="It is next.")
QUIZ = EndingFacts("quiz", "Waves", right=7, total=7, number="3 min", steps=STEPS)
CONCEPTS = [concept(state, state) for state in (MASTERED, PRACTISED, SEEN)]
SWAPPED = Miss("/two/", reason="They are swapped.")
BLANK = Miss("/one/")
CODE = Place("exercise", "Code", "/code/")


def of(right: int, *misses: Miss, **facts: Any) -> EndingFacts:
    return replace(QUIZ, right=right, share=right / 7, misses=misses, concepts=CONCEPTS, **facts)


# A situation, its facts; how it speaks, its heading, its button, what was shaky, what is lit.
SITUATIONS: dict[str, tuple[EndingFacts, str, str, str, list[str], tuple[str, ...]]] = {
    "all right": (of(7), "good", "7 of 7 right", "Next Next", [], (MASTERED, PRACTISED)),
    "most right": (
        of(5, SWAPPED, BLANK),
        "fair",
        "5 of 7 right",
        "Next Next",
        ["They are swapped. 1 Two", " 1 One"],
        (MASTERED, PRACTISED),
    ),
    "half of the points": (
        replace(of(3), share=0.5),
        "fair",
        "3 of 7 right",
        "Next Next",
        [],
        (MASTERED, PRACTISED),
    ),
    "none right: the step that most wrong answers point to": (
        of(0, BLANK, SWAPPED, Miss("/three/"), Miss("/two/"), SWAPPED),
        "few",
        "0 of 7 right",
        "Read Two",
        ["They are swapped. 2 Two", " 1 Two", " 1 One"],
        (),
    ),
    "as many for two steps: the first": (
        of(1, Miss("/three/"), BLANK),
        "few",
        "1 of 7 right",
        "Read One",
        [" 1 Three", " 1 One"],
        (),
    ),
    "wrong answers about steps that are gone": (
        of(0, Miss("/gone/"), Miss("/gone/", "A claim")),
        "few",
        "0 of 7 right",
        "Next Next",
        ["A claim 1 None"],
        (),
    ),
    "hidden by the class": (
        of(0, SWAPPED, is_hidden=True),
        "hidden",
        "Submitted",
        "Next Next",
        [],
        (),
    ),
    "no question counts": (
        replace(QUIZ, right=0, total=0),
        "fair",
        "0 of 0 right",
        "Next Next",
        [],
        (),
    ),
    "a lesson": (
        EndingFacts("lesson", "Waves", misses=[SWAPPED], concepts=CONCEPTS, steps=STEPS),
        "good",
        "Finished: Waves",
        "Next Next",
        ["They are swapped. 1 Two"],
        (MASTERED, PRACTISED, SEEN),
    ),
    "an exercise": (
        EndingFacts("exercise", "Table", concepts=CONCEPTS),
        "good",
        "Solved",
        "Next Next",
        [],
        (MASTERED, PRACTISED),
    ),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_a_situation_has_its_ending(situation: str) -> None:
    facts, tone, heading, button, shaky, lit = SITUATIONS[situation]
    ending = ending_of(facts, NEXT)
    assert (ending.tone, ending.heading, button_of(ending)) == (tone, heading, button)
    assert [shaky_in_words(entry) for entry in ending.shaky] == shaky
    assert ending.lit == lit


def test_ending_says_what_is_left_to_master() -> None:
    """Of two concepts at most, of practised ones first; nothing of it where few are right."""
    states = [(SEEN, "a"), (MASTERED, ""), (PRACTISED, "b"), (PRACTISED, "c")]
    concepts = [
        replace(
            concept(title or "m", state),
            gaps=Gaps(unsolved=(CODE._replace(title=title),)) if title else None,
        )
        for state, title in states
    ]
    facts = replace(QUIZ, kind="lesson", concepts=concepts)
    left = [state.left for state in ending_of(facts, NEXT).unmastered]
    assert left == ['Solve “<a href="/code/">b</a>”', 'Solve “<a href="/code/">c</a>”']
    assert ending_of(replace(facts, kind="quiz", share=0.1), NEXT).unmastered == ()


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("def f(n):\n    ...\n", 0),
        ("def f(n):\n    m = n\n\n    return m\n", 2),
        ("import numpy\n\ndef f(n):\n    return n\n", 2),
        ("def f(n):\n    if n:\n        ...\n    ...\n    return n\n", 3),
    ],
)
def test_ending_counts_lines_beyond_the_starter(code: str, lines: int) -> None:
    assert count_own_lines(code, "def f(n):\n    ...\n") == lines


def test_ending_names_the_next_quiz_once() -> None:
    asking = ((2, Place("quiz", "Waves", NEXT.address)), (1, CODE))
    facts = replace(QUIZ, kind="lesson", concepts=[replace(CONCEPTS[1], gaps=Gaps(asking))])
    (state,) = ending_of(facts, NEXT).unmastered
    assert (
        state.left
        == 'Answer 2 more questions in the next quiz and 1 in “<a href="/code/">Code</a>”'
    )


def button_of(ending: Ending) -> str:
    assert ending.act is not None
    return f"{ending.verb} {ending.act.title}"


def shaky_in_words(entry: Any) -> str:
    miss, title = entry.miss, entry.step and entry.step.title
    return f"{miss.claim}{miss.reason} {miss.times} {title}"


def test_button_says_how_many_answers_it_explains() -> None:
    ending = ending_of(of(0, BLANK, SWAPPED, SWAPPED), None)
    assert ending.act is not None
    assert ending.act.why == "It explains 2 of the 3 answers that you missed."


# ---- the pages


@pytest.fixture
def story(db) -> Story:
    create_small_course()
    return Story()


def ending_on_page(story: Story) -> str:
    """Return the words of the ending, links by their addresses, on the page of what just ended."""
    with story.clock():
        page = story.browser.get(story.ending)
    assert page.status_code == 200
    match = re.search(r'<section class="ending.*?</section>', page.content.decode(), re.S)
    assert match, "the page has no ending"
    text = re.sub(r'<a [^>]*href="([^"]*)"[^>]*>', r" [\1] ", match[0])
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


@pytest.mark.both_databases(postgresql="soak")
def test_missed_quiz_names_the_step_to_read(story: Story) -> None:
    story.tell([read("waves"), take("waves-quiz", right=False)])
    words = ending_on_page(story)
    assert words.startswith("↺ 0 of 2 right")
    assert "[/c/positional-encodings/learn/waves/one/] Read · One (1 min)" in words
    assert "It explains 2 of the 2 answers that you missed." in words
    assert SENTENCE in words, "the option's misconception"
    assert "Concept map" not in words


def test_missed_quiz_names_a_renamed_step(story: Story) -> None:
    """Of an attempt from before a new version of the course renamed the step."""
    story.tell([read("waves"), take("waves-quiz", right=False)])
    Step.objects.filter(lesson__slug="waves", slug="one").update(slug="first")
    OldName.objects.create(course=some_course(), kind="step", old="waves/one", new="waves/first")
    assert "[/c/positional-encodings/learn/waves/first/] Read · One (1 min)" in ending_on_page(
        story
    )


def test_quiz_all_right_lights_its_concept(story: Story) -> None:
    story.tell([read("waves"), take("waves-quiz")])
    words = ending_on_page(story)
    assert words.startswith("✓ 2 of 2 right")
    assert "To master [/c/positional-encodings/map/?focus=waves#details] Waves : " in words
    assert "shaky" not in words


@pytest.mark.parametrize("right", [True, False])
def test_hidden_quiz_ends_the_same_either_way(story: Story, *, right: bool) -> None:
    assigned = assign_to_class("turns-quiz", 20, **HIDDEN)
    story.tell([join, assigned, take("turns-quiz", right=right, assigned=True)])
    words = ending_on_page(story)
    assert words.startswith(
        "… Submitted Your answers have been saved. Your class does not show the right answers now."
        " [/c/positional-encodings/exercises/spin/] Next · Spin (15 min)"
    )
    for secret in (SENTENCE, "of 2", "shaky", "Read ·", "Concept map"):
        assert secret not in words


def test_hidden_review_tells_no_wrong_answer(story: Story) -> None:
    """A card that is long overdue takes the mastery of its concept away: it was answered wrong."""
    card = {"course": some_course(), "kind": "question", "slug": "turns-1"}
    long_ago = story.now - timedelta(days=20)
    story.learner.review_cards.create(**card, due_at=long_ago)
    with story.clock():
        assert overdue_of(story) == {"turns-1"}
    story.tell([join, assign_to_class("turns-quiz", 20, **HIDDEN), begin_assigned("turns-quiz")])
    with story.clock():
        assert overdue_of(story) == set()


def overdue_of(story: Story) -> Collection[str]:
    learner = Learner.objects.get(pk=story.learner.pk)  # as a request has it
    return evidence_of(some_course(), learner, {}).overdue


def test_lesson_names_the_answers_that_were_wrong(story: Story) -> None:
    put, right = put_question("waves-1", "waves/one"), answer_in_lesson("waves-1", "waves/one")
    story.tell([put, right, read("waves")])
    assert "1 of 1 questions right on the first try" in ending_on_page(story)
    assert "shaky" not in ending_on_page(story)
    row = Response.objects.get(learner=story.learner)
    row.is_right, row.score = False, 0
    row.choice = row.version.options.filter(is_key=False)[0]
    row.save()
    words = ending_on_page(story)
    assert "first try" not in words, "none right is no number to be glad of"
    assert f"Still shaky “{row.choice.text}”" in words
    assert row.choice.reason in words


def test_lesson_ending_and_its_ring_count_the_same(story: Story) -> None:
    """A concept of an earlier lesson is that lesson's, though a step here explains it too."""
    stored_map = map_of(some_course())
    assert stored_map is not None
    concepts = tuple(
        replace(concept, steps=("order/one", "waves/one")) if concept.slug == "order" else concept
        for concept in stored_map.concepts
    )
    save_map(some_course(), MapSource(some_course().slug, "map.yaml", 1, concepts))
    story.tell([read("order"), read("waves")])
    with story.clock():
        page = story.browser.get(story.ending).content.decode()
    stop = re.search(r'id="waves".*?of (\d+) concepts? mastered', page, re.S)
    assert stop is not None
    assert page.count("dot--new") == int(stop[1]) == 1


def test_solved_exercise_names_code_and_mistakes(story: Story) -> None:
    table = Exercise.objects.get(slug="table")
    wrong = submission_with_mistake(story.learner, table)
    drawn = crop_around_worst(np.zeros((3, 4)), np.eye(3, 4))
    CasePicture.objects.create(submission=wrong, arrays=drawn.to_bytes())
    story.tell([solve("table")])
    words = ending_on_page(story)
    assert re.search(r"You wrote \d+ lines? for sinusoidal_table\(", words)
    assert "sinusoidal_table(n: int, d: int, base: float = 10000.0)" in words
    assert "Yours Expected [/c" in words
    assert f"Mistakes on the way {SENTENCE}" in words


@pytest.mark.parametrize("arrays", [b"", crop_around_worst(np.zeros(1), np.ones(1)).to_bytes()])
def test_what_cannot_be_drawn_has_no_picture(story: Story, arrays: bytes) -> None:
    wrong = submission_with_mistake(story.learner, Exercise.objects.get(slug="table"))
    CasePicture.objects.create(submission=wrong, arrays=arrays)
    story.tell([solve("table")])
    words = ending_on_page(story)
    assert "Mistakes on the way" in words
    assert "Expected" not in words


def test_first_try_has_no_mistakes_on_the_way(story: Story) -> None:
    story.tell([solve("table")])
    words = ending_on_page(story)
    assert "Mistakes on the way" not in words
    assert "Expected" not in words


# ---- the start page of somebody who comes back


def start_page(story: Story) -> str:
    with story.clock():
        return story.browser.get("/").content.decode()


def test_next_thing_is_the_heading_for_who_comes_back(story: Story, client: Client) -> None:
    newcomer = client.get("/").content.decode()
    assert "<h1>How does a transformer know word order?</h1>" in newcomer
    assert "data-remembered" not in newcomer
    story.tell([read("order/one")])
    page = start_page(story)
    assert '<h1 id="continue">Order, step 2</h1>' in page
    assert page.count("<h1") == 1
    assert "Due in your class" not in page


def test_work_of_a_class_is_named_next_to_next(story: Story) -> None:
    story.tell(
        [join, assign_to_class("slopes", 90), assign_to_class("spin", 900), read("order/one")]
    )
    page = start_page(story)
    due = page.partition("Due in your class")[2].partition("</ul>")[0]
    assert re.findall(r'href="([^"]*)"', due) == ["/c/positional-encodings/exercises/slopes/"]
    assert "It is due in" in due


def test_work_that_is_next_stands_there_once(story: Story) -> None:
    story.tell([join, assign_to_class("slopes", 0.5), read("order/one")])
    page = start_page(story)
    assert '<h1 id="continue">Slopes</h1>' in page
    assert "Due in your class" not in page


def test_attempt_that_is_next_stands_there_once(story: Story) -> None:
    assigned = assign_to_class("turns-quiz", 90)
    story.tell([join, assigned, *ORDER, read("waves"), begin_assigned("turns-quiz"), wait(hours=2)])
    page = start_page(story)
    assert '<h1 id="continue">Turns-quiz</h1>' in page
    assert "Due in your class" not in page


def test_start_page_says_that_all_is_done(story: Story) -> None:
    story.tell([*ORDER, *WAVES, *TURNS, *REST])
    page = start_page(story)
    assert '<h1 id="continue">You have done all that this course has for you now.</h1>' in page
    assert page.count("<h1") == 1
