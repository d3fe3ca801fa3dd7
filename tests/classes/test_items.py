"""The questions of a class's quiz: figures, tables of answers, flags; who is counted."""

import csv
import io
import re
from datetime import timedelta
from fractions import Fraction

import pytest
from django.utils import timezone

from quizzes.assessment.models import Attempt, Option, Question, QuestionVersion, Regrade, Response
from quizzes.classes.items.answers import ResponseFacts, answer_rows, piles
from quizzes.classes.items.flags import flags_of
from quizzes.classes.items.reader import Which, read_items
from quizzes.classes.items.statistics import ItemStatistics
from quizzes.courses.models import CourseStaff
from quizzes.learners.models import Learner, User
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers
from quizzes.regrades.undo import undo_answers
from tests.classes import moodle_oracle
from tests.classes.pages import count_queries, teach_class
from tests.classes.planted import (
    WRONG_KEY,
    add_question,
    add_students,
    hand_in,
    plant,
)
from tests.classes.test_item_statistics import FIGURES, near
from tests.factories import assign, browser_of, create_class, create_member, create_quiz

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def asks_for_the_key(flags):
    return any("is the key right?" in one.words for one in flags)


def test_a_planted_wrong_key_is_flagged_and_no_other(cohort, teacher):
    quiz, _, chosen = plant(cohort)
    found = read_items(cohort, quiz)
    asked = [one.slug for one in found.items if asks_for_the_key(one.flags)]
    assert asked == [f"item-{WRONG_KEY}"]
    wrong = found.items[WRONG_KEY - 1].figures
    assert 35 < wrong.facility < 65  # looking like its neighbours
    assert wrong.discrimination < 0
    assert (found.attempts, found.students, found.whole.n) == (163, 163, 163)
    # The figures come from the rows unchanged: the oracle has the planted choices.
    keys = [2 if place == WRONG_KEY else 1 for place in range(1, 9)]
    marks = [
        [Fraction(which == key) for which, key in zip(row, keys, strict=True)] for row in chosen
    ]
    for one, theirs in zip(found.items, moodle_oracle.items(marks, [1] * 8), strict=True):
        assert all(near(getattr(one.figures, name), theirs[name]) for name in FIGURES)
        assert one.figures.guess == 25
    page = teacher.get(teach_class("results/?quiz=planted")).content.decode()
    assert page.count("is the key right?") in {1, 2}
    assert "You do not have a role in the course" in page
    link = re.search(rf'href="([^"]*/item-{WRONG_KEY}/regrade/[^"]*)"', page)
    assert link is not None
    assert teacher.get(link[1]).status_code == 200  # a class's instructor is let in there
    assert page.count("Regrade this class’s answers") == len(found.items)
    helper = browser_of(create_member(cohort, "helper", role="assistant").user)
    assert "/regrade/" not in helper.get(teach_class("results/?quiz=planted")).content.decode()
    CourseStaff.objects.create(
        course=cohort.course, user=User.objects.get(username="teacher"), role="editor"
    )
    page = teacher.get(teach_class("results/?quiz=planted")).content.decode()
    assert f"/questions/item-{WRONG_KEY}/" in page.split("Figures</h2>")[0]


def test_blanks_are_a_row_and_every_number_has_its_n(cohort, teacher):
    quiz = create_quiz("planted", [add_question(cohort.course, "one")])
    hand_in(quiz, add_students(cohort, 4), [[1], [2], [None], [2]])
    item = read_items(cohort, quiz).items[0]
    assert [(row.text, row.times, row.n) for row in item.rows] == [
        ("option 1", 1, 4),
        ("option 2", 2, 4),
        ("option 3", 0, 4),
        ("option 4", 0, 4),
        ("Left blank", 1, 4),
    ]
    assert (item.is_thin, item.flags) == (True, [])
    assert (
        "too few answers to tell"
        in teacher.get(teach_class("results/?quiz=planted")).content.decode()
    )


def test_which_attempts_count_and_of_whom(cohort):
    quiz = create_quiz("planted", [add_question(cohort.course, one) for one in ("one", "two")])
    ada, bob = add_students(cohort, 2, section="A")
    (cy,) = add_students(cohort, 1, section="B", start=2)
    now = timezone.now()
    for days, rows in ((9, [[1, 2], [2, 2]]), (6, [[1, 1], [2, 1]]), (3, [[2, 2], [2, 2]])):
        hand_in(quiz, [ada, bob], rows, now - timedelta(days=days))
    hand_in(quiz, [cy], [[1, 1]], now - timedelta(days=2))
    # Nobody of these counts: staff, another class, no class, from before joining, not handed in.
    teacher = create_member(cohort, "teacher", role="instructor").user.learner
    other = create_member(create_class("spring", course=cohort.course), "eve").user.learner
    hand_in(quiz, [teacher, other, Learner.objects.create()], [[1, 1]] * 3)
    hand_in(quiz, [ada], [[1, 1]], now - timedelta(days=60))
    Attempt.objects.create(learner=ada, quiz=quiz)

    def right(**more):
        found = read_items(cohort, quiz, **more)
        return found.attempts, [one.figures.facility for one in found.items]

    assert right(which=Which.ALL) == (7, [pytest.approx(300 / 7), pytest.approx(300 / 7)])
    assert right(which=Which.FIRST, section="A") == (2, [50, 0])
    assert right(which=Which.BEST, section="A") == (2, [50, 100])
    assert right(which=Which.LAST, section="A") == (2, [0, 0])
    assert right(section="B") == (1, [100, 100])
    assert right(section="C") == (0, [])
    # Once the class has an assignment of it, practice does not count.
    hers = assign(cohort, quiz)
    assert right(which=Which.ALL) == (0, [])
    Attempt.objects.filter(learner=cy).update(sitting=hers.sitting)
    assert right(which=Which.ALL) == (1, [100, 100])


def test_versions_stand_apart_and_dropped_answers_do_not_count(cohort):
    question = add_question(cohort.course, "one")
    quiz = create_quiz("planted", [question, add_question(cohort.course, "two")])
    ada, bob, cy = add_students(cohort, 3)
    hand_in(quiz, [ada], [[1, 1]])
    old = question.current
    question.current = QuestionVersion.objects.create(
        question=question, number=2, content_hash="2", prompt="Better?", step="a/b"
    )
    question.save()
    for order in (1, 2):
        Option.objects.create(
            version=question.current, order=order, text="t", is_key=order == 2, reason="r"
        )
    hand_in(quiz, [bob, cy], [[1, 1], [2, 1]])
    found = read_items(cohort, quiz).items
    assert [(one.slug, one.version.number, one.is_current) for one in found] == [
        ("one", 2, True),
        ("one", 1, False),
        ("two", 1, True),
    ]
    assert [one.figures.n for one in found] == [2, 1, 3]
    assert [one.figures.facility for one in found] == [50, 100, 100]
    Response.objects.filter(version=old).update(is_dropped=True)
    assert [one.figures.n for one in read_items(cohort, quiz).items] == [2, 3]


def newer_version(question, key=None, answer=None):
    """Return version 1 of a question, after version 2 with another key became current."""
    old = question.current
    question.current = QuestionVersion.objects.create(
        question=question,
        number=2,
        content_hash="2",
        prompt=old.prompt,
        step=old.step,
        kind=old.kind,
        scoring=old.scoring,
        answer=answer,
    )
    for one in old.options.all():
        Option.objects.create(
            version=question.current,
            order=one.order,
            text=one.text,
            is_key=one.order == key,
            reason="r",
        )
    question.save()
    return old


def regrade(question, old, rule=Regrade.Rule.NEW_KEY, **more):
    by_version = rule in {Regrade.Rule.NEW_KEY, Regrade.Rule.ACCEPT_BOTH}
    new = question.current if by_version else None
    wish = Wish(question, old, new, rule, as_of=timezone.now(), **more)
    return apply_answers(wish, digest=plan_answers(wish).digest, note="", by=None)


def keys_of(cohort, quiz):
    rows = read_items(cohort, quiz).items[0].rows
    return [row.text for row in rows if row.is_key]


def test_the_key_is_that_of_the_regrade_in_force(cohort, teacher):
    """By whatever was chosen: nobody chose the new key, or everybody did."""
    Rule = Regrade.Rule
    question = add_question(cohort.course, "one")
    quiz = create_quiz("planted", [question, add_question(cohort.course, "two")])
    hand_in(quiz, add_students(cohort, 3), [[1, 1], [1, 2], [2, 2]])
    assert keys_of(cohort, quiz) == ["option 1"]
    old = newer_version(question, key=3)
    done = regrade(question, old)
    assert keys_of(cohort, quiz) == ["option 3"]
    assert read_items(cohort, quiz).items[0].figures.facility == 0
    undo_answers(done, by=None)
    assert keys_of(cohort, quiz) == ["option 1"]
    everybody = regrade(question, old, Rule.ALL_RIGHT)
    assert keys_of(cohort, quiz) == ["option 1"]  # right for everybody says nothing of the key
    undo_answers(everybody, by=None)
    other = old.options.get(order=2)
    Response.objects.filter(version=old).update(choice=other, is_right=False, score=0)
    assert keys_of(cohort, quiz) == ["option 1"]
    question.current.options.update(is_key=False)
    question.current.options.filter(order=2).update(is_key=True)
    regrade(question, old, Rule.ACCEPT_BOTH)
    assert keys_of(cohort, quiz) == ["option 1", "option 2"]
    assert read_items(cohort, quiz).items[0].figures.guess == 50


def test_a_sitting_handed_in_after_a_regrade_has_the_key_of_its_version(
    cohort, teacher, django_assert_num_queries
):
    """In one section they alone count, so their key is shown. A regrade costs two queries."""
    question = add_question(cohort.course, "one")
    quiz = create_quiz("planted", [question])
    hand_in(quiz, add_students(cohort, 1), [[1]])
    with django_assert_num_queries(7):
        read_items(cohort, quiz)
    old = newer_version(question, key=2)
    regrade(question, old)
    Question.objects.filter(pk=question.pk).update(current=old)  # what they began with
    late = add_students(cohort, 2, section="L", start=1)
    hand_in(quiz, late, [[1], [2]])
    question.save()
    with django_assert_num_queries(9):
        assert keys_of(cohort, quiz) == ["option 2"]
    late = read_items(cohort, quiz, section="L").items[0]
    assert [row.text for row in late.rows if row.is_key] == ["option 1"]
    assert (late.figures.facility, late.figures.guess) == (50, 25)


def test_regraded_numbers_show_the_new_interval(cohort, teacher):
    def answer(value):
        return {"value": value, "plus_minus": 1, "reason": "r"}

    question = add_question(cohort.course, "one")
    quiz = create_quiz("planted", [question])
    hand_in(quiz, add_students(cohort, 3), [[1], [2], [2]])
    QuestionVersion.objects.filter(question=question).update(kind="numeric", answer=answer("10"))
    question.current.refresh_from_db()
    for row, number in zip(Response.objects.order_by("pk"), (10, 20, 20.5), strict=True):
        right = number == 10
        Response.objects.filter(pk=row.pk).update(
            choice=None, number=number, text=str(number), is_right=right, score=int(right)
        )
    old = newer_version(question, answer=answer("20"))

    def told():
        rows = read_items(cohort, quiz).items[0].rows
        return [(row.text, row.times, row.is_key) for row in rows if row.times]

    assert told() == [("Right: 9 to 11", 1, True), ("Other numbers", 2, False)]
    done = regrade(question, old)
    assert told() == [("Right: 19 to 21", 2, True), ("Other numbers", 1, False)]
    undo_answers(done, by=None)
    done = regrade(question, old, nobody_loses=True)
    assert told() == [
        ("Right: 19 to 21", 2, True),
        ("Other answers that count as right", 1, False),
    ]
    undo_answers(done, by=None)
    regrade(question, old, Regrade.Rule.ACCEPT_BOTH)
    assert told() == [("Right: 9 to 11 or 19 to 21", 3, True)]


def test_bad_filters_name_the_value_and_what_there_is(cohort, teacher):
    quiz = create_quiz("planted", [add_question(cohort.course, "one")])
    hand_in(quiz, add_students(cohort, 1), [[1]])
    for page in ("results/", "results.csv", "results.json"):
        for query, said in (
            ("attempts=median", "attempts=median: must be one of first, last, best, all"),
            ("quiz=gone", "quiz=gone: must be a quiz of the course: planted"),
        ):
            answer = teacher.get(teach_class(f"{page}?{query}"))
            assert (answer.status_code, answer.content.decode()) == (400, said)


def test_the_same_figures_as_files(cohort, teacher):
    quiz = create_quiz("planted", [add_question(cohort.course, "one")])
    assert teacher.get(teach_class("results.json")).json()["items"] == []
    hand_in(quiz, add_students(cohort, 3), [[1], [2], [None]])
    sent = teacher.get(teach_class("results.csv")).content.decode("utf-8-sig")
    (line,) = csv.DictReader(io.StringIO(sent))
    assert (line["question"], line["n"], line["facility"]) == ("one", "3", "33.333333")
    assert line["discrimination"] == ""
    plain = teacher.get(teach_class("results.json?attempts=all")).json()
    assert (plain["attempts"], plain["attempts_counted"]) == ("all", 3)
    (item,) = plain["items"]
    assert (item["n"], item["discrimination"]) == (3, None)
    assert item["answers"][-1] == {
        "text": "Left blank",
        "times": 1,
        "better_half": 0,
        "key": False,
        "blank": True,
        "mistake": None,
    }
    version = quiz.places.get().question.current_id
    listed = teacher.get(teach_class(f"results/{version}/answers/")).content.decode()
    assert listed.count("<tr>") == 4
    assert "autumn-0002" in listed


def test_a_larger_class_takes_no_more_queries(cohort, teacher):
    quiz = create_quiz("planted", [add_question(cohort.course, "one", key=2)])
    version = quiz.places.get().question.current_id
    paths = ("results/", "results/?quiz=planted", f"results/{version}/answers/")
    pages = [teach_class(path) for path in paths]
    counts = []
    for start, number in ((0, 20), (20, 60)):
        hand_in(quiz, add_students(cohort, number, start=start), [[1 + start % 3]] * number)
        counts.append([count_queries(teacher, page) for page in pages])
    assert counts[0] == counts[1]
    assert max(counts[0]) <= 26


def given(version, number=None, text="", right=False, answered=True):
    return ResponseFacts(
        0, version.pk, None, None, number, text, right, answered, 1.0, float(right)
    )


def test_numbers_pile_up_beside_the_key():
    answer = {
        "value": "10",
        "plus_minus": 0.1,
        "reason": "So.",
        "near": [{"value": "20", "reason": "Twice.", "mistake": "scale/twice"}],
    }
    version = QuestionVersion(kind="numeric", answer=answer)
    numbers = [10, 10.05, 20, *[2.5] * 6, 2.52, 77, 78]
    rows = [given(version, one, str(one), abs(one - 10) < 0.2) for one in numbers]
    rows.append(given(version, text="ten?", answered=False))
    found = answer_rows(version, (), rows, [False] * len(rows))
    assert [(row.text, row.times, row.is_pile) for row in found] == [
        ("Right: 9.9 to 10.1", 2, False),
        ("About 2.5", 7, True),
        ("Other numbers", 2, False),
        ("About 20: Twice.", 1, False),
        ("Left blank", 1, False),
    ]
    assert found[3].mistake == "scale/twice"
    words = [one.words for one in flags_of(ItemStatistics(len(rows), 50.0), found)]
    assert words == [
        "7 of 13 answered about 2.5: is that also right, or is it a mistake that has no name yet?"
    ]
    assert piles([5, 1, 1.004, 2], 0) == [[1, 1.004], [2], [5]]


@pytest.mark.parametrize(
    ("texts", "right", "expected"),
    [
        (
            ["rope", "rotary"],
            2,
            [("Right: RoPE", 1, 1, True), ("Other answers that count as right", 1, 0, False)],
        ),
        (
            ["rope", "ALiBi ", " alibi"],
            1,
            [("Right: RoPE", 1, 1, True), ("“alibi”", 2, 1, False), ("Left blank", 0, 0, False)],
        ),
    ],
)
def test_texts_are_counted_as_they_are_read(texts, right, expected):
    version = QuestionVersion(kind="text", answer={"accepts": ["RoPE"], "reason": "-"})
    rows = [given(version, text=text, right=at < right) for at, text in enumerate(texts)]
    found = answer_rows(version, (), rows, [True, False, True][: len(rows)])
    shown = [(row.text, row.times, row.better, row.is_key) for row in found]
    assert shown[: len(expected)] == expected
    assert len(texts) == 2 or len(shown) == len(expected)


def test_equal_wrong_texts_pile_up():
    version = QuestionVersion(kind="text", answer={"accepts": ["RoPE"], "reason": "-"})
    texts = ["rope"] * 5 + ["Rotary"] * 3 + ["rotary", "rotary "] + [f"w{one}" for one in range(9)]
    rows = [given(version, text=text, right=text == "rope") for text in texts]
    found = answer_rows(version, (), rows, [False] * len(rows))
    assert [(row.text, row.times) for row in found if row.is_pile] == [("“rotary”", 5)]
    words = [one.words for one in flags_of(ItemStatistics(len(rows), 50.0), found)]
    assert words == [
        "5 of 19 answered “rotary”: is that also right, or is it a mistake that has no name yet?"
    ]


def test_what_would_be_right_today_is_flagged_in_any_class():
    text = QuestionVersion(kind="text", answer={"accepts": ["key-value"], "reason": "-"})
    rows = [given(text, text="key‑value"), given(text, text="key value")]
    found = answer_rows(text, (), rows, [False, False])
    assert [(row.text, row.times) for row in found if row.is_right_today] == [("“key-value”", 1)]
    answer = {"value": "-0.5", "unit": "m", "reason": "-"}
    number = QuestionVersion(kind="numeric", answer=answer)
    typed = ["‑0.5", "‑0.5 m", "0.5 mm", ""]
    rows = [given(number, text=text, answered=False) for text in typed]
    found = answer_rows(number, (), rows, [False] * 4)
    assert [(row.text, row.times, row.is_right_today) for row in found] == [
        ("Could not be read as a number when it was sent", 2, True),
        ("Left blank", 2, False),
    ]
    (flag,) = flags_of(ItemStatistics(4, 0.0), found)
    assert flag.words == (
        "2 answers are marked wrong but would now be right: differences in "
        "dashes, quotes and invisible characters no longer matter."
    )


def test_flags_of_what_is_asked(cohort):
    quiz = create_quiz("planted", [add_question(cohort.course, "one")])
    hand_in(quiz, add_students(cohort, 50), [[1]] * 50)
    flags = read_items(cohort, quiz).items[0].flags
    assert [one.kind for one in flags] == ["easy", "unused", "unused", "unused"]
    hard = flags_of(ItemStatistics(10, facility=10.0), ())
    assert [one.kind for one in hard] == ["hard"]
    assert flags_of(ItemStatistics(9, facility=10.0, discrimination=-5.0), ()) == []


def test_results_have_what_two_pages_had(cohort, teacher):
    """Without a quiz every question, the hardest first; of a quiz its figures beside that."""
    quiz = create_quiz("planted", [add_question(cohort.course, "one")])
    other = create_quiz("other", [add_question(cohort.course, "two")])
    create_quiz("untaken", [add_question(cohort.course, "three")])
    ada, bob = add_students(cohort, 2, section="A")
    (cy,) = add_students(cohort, 1, section="B", start=2)
    hand_in(quiz, [ada, bob, cy], [[1], [2], [2]])
    hand_in(other, [ada], [[1]])

    def shown(query=""):
        page = teacher.get(teach_class(f"results/{query}"))
        first = {
            one["question"].slug: (one["facility"].right, one["facility"].met)
            for one in page.context["rows"]
        }
        figures = [one["item"].figures.n for one in page.context.get("items", ())]
        return first, figures, page.content.decode()

    first, figures, html = shown()
    assert (first, figures) == ({"one": (1, 3), "two": (1, 1)}, [])
    assert re.findall(r'href="(\?quiz=[a-z]+)"', html) == ["?quiz=other", "?quiz=planted"]
    first, figures, html = shown("?quiz=planted")
    assert (first, figures) == ({"one": (1, 3)}, [3])
    for heading in ("Questions to check", "Figures", "Answers", "Right first time"):
        assert f">{heading}</h2>" in html
    assert shown("?quiz=planted&section=A")[:2] == ({"one": (1, 2)}, [2])
    assert shown("?section=B")[:2] == ({"one": (0, 1)}, [])
    first, figures, html = shown("?quiz=untaken")
    assert (first, figures) == ({}, [])
    assert "No student has submitted this quiz yet." in html


def test_addresses_of_figures_lead_to_results(cohort, teacher):
    quiz = create_quiz("planted", [add_question(cohort.course, "one")])
    hand_in(quiz, add_students(cohort, 1), [[1]])
    version = quiz.places.get().question.current_id
    for end in ("/", ".csv", ".json", f"/{version}/answers/"):
        for query in ("", "?quiz=planted&section=A%26B"):
            answer = teacher.get(teach_class(f"items{end}{query}"))
            there = teach_class(f"results{end}{query}")
            assert (answer.status_code, answer.url) == (301, there)
            assert teacher.get(there).status_code == 200
    page = teacher.get(teach_class("results/")).content.decode()
    assert page.count(f'href="{teach_class("results/")}"') == 1
    assert "/items/" not in page
