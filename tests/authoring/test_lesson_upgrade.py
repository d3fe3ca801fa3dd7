"""A class half through a lesson when a new version of its course is loaded: no mark changes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from unittest.mock import patch

import pytest
from django.utils import timezone

from quizzes.assessment.models import Question, Response
from quizzes.classes.assignments import save_assignment, set_exceptions
from quizzes.classes.due_work import due_work
from quizzes.classes.marks.cells import Cell, State
from quizzes.classes.marks.lesson_steps import settle_lesson_steps
from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.courses.models import Course
from quizzes.learners.models import Progress
from quizzes.lessons.models import Lesson
from tests.assessment.content import QUESTION, write_question
from tests.authoring.test_check_and_load import run
from tests.courses import at
from tests.factories import DAY, assign, browser_of, create_class, create_member, read_step
from tests.lessons.course import write_course, write_lesson

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

HOUR = timedelta(hours=1)
COUNTED = ["first/start", "first/ask", "first/proof", "first/notation"]
BLOCK = "```question\nslug: {}\n```\n"


@dataclass
class Upgrade:
    """A class with the lesson `first` of a course that is loaded from a folder."""

    root: Path
    cohort: Cohort
    now: datetime

    def member(self, name: str) -> Membership:
        return Membership.objects.select_related("user__learner").get(name=name.title())

    def assign(self, *, opens: float, due: float, closes: float, **facts: object) -> Assignment:
        """Assign the lesson; dates are days from now."""
        dates = {"opens_at": opens, "due_at": due, "closes_at": closes}
        days = {name: self.now + day * DAY for name, day in dates.items()}
        return assign(self.cohort, Lesson.objects.get(slug="first"), **days, **facts)

    def cells(self, now: datetime | None = None) -> dict[tuple[str, int], Cell]:
        """Return the marks by member and assignment."""
        class_marks = marks(self.cohort, now=now or self.now)
        return {
            (row.membership.name, assignment.pk): cell
            for row in class_marks.members
            for assignment, _, cell in row.cells
        }

    def sums(self, now: datetime | None = None) -> dict[tuple[str, int], tuple[object, ...]]:
        """Return what counts of the marks; where to go on is another matter."""
        return {
            key: (cell.state, cell.value, cell.steps, cell.is_final, cell.work)
            for key, cell in self.cells(now).items()
        }

    def read(self, name: str, *steps: str, days: float) -> None:
        lesson = Lesson.objects.get(slug="first")
        for step in steps:
            read_step(self.member(name), lesson, step, self.now + days * DAY)

    def answer(self, name: str, question: str, step: str, *, days: float) -> None:
        version = Question.objects.get(slug=question).current
        assert version is not None
        options = list(version.options.order_by("order"))
        response = Response(
            learner=self.member(name).user.learner,
            step=f"first/{step}",
            version=version,
            option_order=[option.pk for option in options],
            choice=options[0],
            answered_at=self.now + days * DAY,
        )
        response.mark(Decimal(1))
        response.save()

    def open_page(self, name: str, path: str, *, post: object = None) -> str:
        browser = browser_of(self.member(name).user)
        if post is not None:
            assert browser.post(at(path, "course"), post).status_code == 302, path
            return ""
        answer = browser.get(at(path, "course") if path.startswith("/learn") else path, follow=True)
        assert answer.status_code == 200, path
        html: str = answer.content.decode()
        return html

    def load_new_version(self) -> None:
        """Load the next version of the course.

        Two steps go deeper, the third moves to a reference, and a question moves to another step.
        """
        rewrite(self.root)
        code, said = run("load_content", self.root)
        assert code == 0, said
        assert "warning:" not in said


def rewrite(root: Path) -> None:
    for file in (root / "lessons/first/steps").iterdir():
        file.unlink()
    steps = {
        "begin": "A new first step.",
        "start": f"Words.\n\n{BLOCK.format('adds')}",
        "ask": "What was the step of the question.",
        "proof": f"A proof.\n\n{BLOCK.format('proves')}",
    }
    write_lesson(root, "first", steps, title="First", deeper=["ask", "proof"])
    write_lesson(root, "words", {"notation": "Letters."}, title="Words", form="reference")
    reference = root / "lessons/words/lesson.yaml"
    moved = "slug: notation\n    renamed_from: [first/notation]"
    reference.write_text(reference.read_text().replace("slug: notation", moved))
    file = root / "course.yaml"
    file.write_text(file.read_text().replace("[first]", "[first, words]"))
    write_question(root, "adds", QUESTION.replace("sums/adding", "first/start"))


@pytest.fixture
def upgrade(tmp_path: Path) -> Upgrade:
    steps = {
        "start": "Words.",
        "ask": BLOCK.format("adds"),
        "proof": BLOCK.format("proves"),
        "notation": "Letters.",
    }
    root = write_course(tmp_path, steps)
    write_question(root, "adds", QUESTION.replace("sums/adding", "first/ask"))
    write_question(root, "proves", QUESTION.replace("sums/adding", "first/proof"))
    code, said = run("load_content", root)
    assert code == 0, said
    return Upgrade(root, create_class(course=Course.objects.get()), timezone.now())


@pytest.fixture
def half_done(upgrade: Upgrade) -> Upgrade:
    """Members who are differently far, and three assignments of the lesson that have opened.

    One is past due, with an extension for Eve; one is due later; one has closed.
    """
    names = ["ada", "ben", "cyd", "dan", "eve", "fay"]
    members = {name: create_member(upgrade.cohort, name) for name in names}
    past_due = upgrade.assign(opens=-10, due=-2, closes=5)
    upgrade.assign(opens=-10, due=4, closes=5)
    upgrade.assign(opens=-20, due=-6, closes=-5)
    set_exceptions(
        assignment=past_due,
        members=[members["eve"]],
        values={"due_at": upgrade.now + 3 * DAY},
        by=None,
    )
    set_exceptions(
        assignment=past_due, members=[members["fay"]], values={"is_excused": True}, by=None
    )
    upgrade.read("ben", "start", days=-4)
    upgrade.answer("ben", "adds", "ask", days=-4)
    upgrade.read("cyd", "start", "notation", days=-7)
    for question, step in (("adds", "ask"), ("proves", "proof")):
        upgrade.answer("cyd", question, step, days=-7)
    upgrade.read("dan", "start", days=-3)
    upgrade.read("dan", "notation", days=-1)  # after the due date
    upgrade.answer("dan", "proves", "proof", days=-1)
    upgrade.read("eve", "notation", days=-1)  # within the extension
    upgrade.read("fay", "start", days=-7)
    return upgrade


def past_due(upgrade: Upgrade) -> Assignment:
    return Assignment.objects.order_by("pk")[0]


def test_marks_are_what_they_were(half_done: Upgrade) -> None:
    before = half_done.sums()
    states = {state for state, *_ in before.values()}
    assert {State.OPEN, State.SUBMITTED, State.EXCUSED, State.MISSED} <= states
    first = past_due(half_done).pk
    done = {name: steps for (name, pk), (_, _, steps, *_) in before.items() if pk == first}
    assert done["Ben"] == (2, 4)
    assert done["Dan"] == (1, 4)
    assert done["Eve"] == (1, 4)
    half_done.load_new_version()
    assert half_done.sums() == before
    settle_lesson_steps(half_done.now)
    assert half_done.sums() == before


def test_loading_again_changes_no_mark(half_done: Upgrade) -> None:
    before = half_done.sums()
    half_done.load_new_version()
    rows = list(Assignment.objects.order_by("pk").values_list("steps", flat=True))
    file = half_done.root / "lessons/first/steps/01-begin.md"
    file.write_text("Another first step.")
    assert run("load_content", half_done.root)[0] == 0
    assert list(Assignment.objects.order_by("pk").values_list("steps", flat=True)) == rows
    assert half_done.sums() == before


def test_answers_go_with_their_question(half_done: Upgrade) -> None:
    half_done.load_new_version()
    steps = Response.objects.filter(version__question__slug="adds").values_list("step", flat=True)
    assert set(steps) == {"first/start"}
    assert "Count on your fingers." in half_done.open_page("ben", "/learn/first/start/")


def done(upgrade: Upgrade, name: str, assignment: Assignment, now: datetime | None = None):
    return upgrade.cells(now)[name.title(), assignment.pk].steps


def do_the_rest(upgrade: Upgrade, name: str) -> list[tuple[int, int]]:
    """Do what is left of the lesson where it stands now; return what is done after each act."""
    open_later = Assignment.objects.order_by("pk")[1]
    key = Question.objects.get(slug="adds").current.options.get(is_key=True).pk
    proof = Question.objects.get(slug="proves").current.options.get(is_key=True).pk
    acts: list[Callable[[], object]] = [
        lambda: upgrade.open_page(name, "/learn/first/start/", post={}),
        lambda: upgrade.open_page(
            name, "/questions/adds/answer/", post={"option": key, "step": "first/start"}
        ),
        lambda: upgrade.open_page(
            name, "/questions/proves/answer/", post={"option": proof, "step": "first/proof"}
        ),
        lambda: upgrade.open_page(name, "/learn/words/notation/", post={}),
    ]
    counts = []
    for act in acts:
        act()
        counts.append(done(upgrade, name, open_later, timezone.now()))
    return counts


def test_work_at_the_new_places_counts(half_done: Upgrade) -> None:
    half_done.load_new_version()
    first = past_due(half_done)
    assert do_the_rest(half_done, "ada") == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert done(half_done, "ada", first, timezone.now()) == (0, 4), "it was due before"
    assert do_the_rest(half_done, "eve")[-1] == (4, 4)
    assert done(half_done, "eve", first, timezone.now()) == (4, 4), "within the extension"
    cell = half_done.cells(timezone.now())["Eve", first.pk]
    assert (cell.state, cell.value) == (State.SUBMITTED, first.points)


def test_after_the_close_nothing_changes(half_done: Upgrade) -> None:
    half_done.load_new_version()
    late = half_done.now + 6 * DAY
    before = half_done.sums(late)
    with patch.object(timezone, "now", lambda: late):
        do_the_rest(half_done, "ben")
        do_the_rest(half_done, "eve")
    assert Progress.objects.filter(kind="step", slug="words/notation", state="done").count() == 4
    assert half_done.sums(late + HOUR) == before


def test_the_class_page_leads_to_what_is_left(half_done: Upgrade) -> None:
    def next_step(name: str) -> str:
        page = half_done.open_page(name, f"/class/{half_done.cohort.slug}/")
        due = page.partition('id="next-title"')[2].partition("</section>")[0]
        return due.partition('<a href="')[2].partition('"')[0]

    half_done.load_new_version()
    page = half_done.open_page("ben", f"/class/{half_done.cohort.slug}/")
    assert "2 of 4 steps" in page
    assert "Next: Step proof" in page
    places = []
    for post in (
        ("/learn/first/start/", {}),
        ("/questions/adds/answer/", {"option": key_of("adds"), "step": "first/start"}),
        ("/questions/proves/answer/", {"option": key_of("proves"), "step": "first/proof"}),
        ("/learn/words/notation/", {}),
    ):
        places.append(next_step("ada"))
        half_done.open_page("ada", post[0], post=post[1])
    assert places == [
        at("/learn/first/start/", "course"),
        at("/learn/first/start/", "course"),  # of which the question is left
        at("/learn/first/proof/", "course"),
        at("/learn/words/notation/", "course"),
    ]
    assert next_step("ada") == ""


def key_of(question: str) -> int:
    version = Question.objects.get(slug=question).current
    assert version is not None
    return version.options.get(is_key=True).pk


def test_a_counted_reference_can_be_noted(half_done: Upgrade) -> None:
    half_done.load_new_version()
    page = half_done.open_page("ada", "/learn/first/notation/")  # its old address leads on
    assert "This page counts for" in page
    assert "Mark as read" in page
    half_done.open_page("ada", "/learn/words/notation/", post={})
    page = half_done.open_page("ada", "/learn/words/notation/")
    assert "Mark as read" not in page.partition("<main")[2]
    late = half_done.now + 6 * DAY
    with patch.object(timezone, "now", lambda: late):
        assert "This page counts" not in half_done.open_page("ben", "/learn/words/notation/")


def test_a_deeper_step_says_whether_it_counts(half_done: Upgrade) -> None:
    half_done.load_new_version()
    assert "This page counts for" in half_done.open_page("ada", "/learn/first/proof/")
    other = create_class("spring", course=Course.objects.get())
    create_member(other, "gus")
    assign(other, Lesson.objects.get(slug="first"), due_at=half_done.now + 4 * DAY)
    assert "This page counts for" not in half_done.open_page("gus", "/learn/first/proof/")
    assert "Class spring" in half_done.open_page("gus", "/learn/first/start/")


def test_a_coming_assignment_has_the_new_path(upgrade: Upgrade) -> None:
    coming = upgrade.assign(opens=1, due=4, closes=5)
    assert [step for step, _ in coming.steps] == COUNTED
    upgrade.load_new_version()
    assert settle_lesson_steps(upgrade.now) == 1
    coming.refresh_from_db()
    assert coming.steps == [["first/begin", []], ["first/start", ["adds"]]]


def test_a_new_assignment_has_the_path_unless_ticked(upgrade: Upgrade) -> None:
    upgrade.load_new_version()
    path = [["first/begin", []], ["first/start", ["adds"]]]
    deeper = [["first/ask", []], ["first/proof", ["proves"]]]
    assert upgrade.assign(opens=-1, due=4, closes=5).steps == path
    assert upgrade.assign(opens=-1, due=4, closes=5, includes_deeper=True).steps == path + deeper
    ticked = upgrade.assign(opens=1, due=4, closes=5, includes_deeper=True)
    assert settle_lesson_steps(upgrade.now) == 0
    assert ticked.steps == path + deeper


def test_counted_names_go_with_renamed_things(half_done: Upgrade) -> None:
    before = half_done.sums()
    half_done.load_new_version()
    root = half_done.root
    (root / "lessons/first").rename(root / "lessons/basics")
    (root / "lessons/basics/steps/02-start.md").rename(root / "lessons/basics/steps/02-adding.md")
    (root / "questions/adds").rename(root / "questions/sums")
    edit(root / "lessons/basics/steps/02-adding.md", "slug: adds", "slug: sums")
    edit(
        root / "lessons/basics/lesson.yaml",
        "slug: start\n",
        "slug: adding\n    renamed_from: [first/start]\n",
    )
    edit(root / "lessons/basics/lesson.yaml", "title: First", "title: First\nrenamed_from: [first]")
    edit(root / "course.yaml", "[first,", "[basics,")
    edit(
        root / "questions/sums/question.yaml", "first/start", "basics/adding\nrenamed_from: [adds]"
    )
    edit(root / "questions/proves/question.yaml", "first/proof", "basics/proof")
    code, said = run("load_content", root)
    assert code == 0, said
    assert half_done.sums() == before
    assert past_due(half_done).steps == [
        ["basics/adding", []],
        ["basics/ask", ["basics/adding/sums"]],
        ["basics/proof", ["proves"]],
        ["words/notation", []],
    ]


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text, (file, old)
    file.write_text(text.replace(old, new, 1))


def test_a_question_in_two_steps_moves_from_one(upgrade: Upgrade) -> None:
    """Each step asked it by itself: answers stay apart where the learner gave both."""
    steps = {"start": BLOCK.format("adds"), "ask": BLOCK.format("adds"), "last": "Words."}
    for file in (upgrade.root / "lessons/first/steps").iterdir():
        file.unlink()
    write_lesson(upgrade.root, "first", steps, title="First")
    edit(upgrade.root / "questions/proves/question.yaml", "first/proof", "first/ask")
    assert run("load_content", upgrade.root)[0] == 0
    create_member(upgrade.cohort, "ada")
    create_member(upgrade.cohort, "ben")
    held = upgrade.assign(opens=-10, due=-2, closes=5)
    upgrade.answer("ada", "adds", "ask", days=-4)
    upgrade.answer("ada", "adds", "start", days=-1)  # late
    upgrade.answer("ben", "adds", "ask", days=-4)
    before = upgrade.sums()
    edit(upgrade.root / "lessons/first/steps/02-ask.md", BLOCK.format("adds"), "Words.")
    assert run("load_content", upgrade.root)[0] == 0
    assert done(upgrade, "ada", held) == done(upgrade, "ben", held) == (1, 3)
    assert upgrade.sums() == before


def test_closed_assignments_take_no_answer_of_another_step(upgrade: Upgrade) -> None:
    steps = {"start": BLOCK.format("adds"), "ask": BLOCK.format("adds"), "last": "Words."}
    for file in (upgrade.root / "lessons/first/steps").iterdir():
        file.unlink()
    write_lesson(upgrade.root, "first", steps, title="First")
    edit(upgrade.root / "questions/proves/question.yaml", "first/proof", "first/ask")
    assert run("load_content", upgrade.root)[0] == 0
    create_member(upgrade.cohort, "ada")
    closed = upgrade.assign(opens=-10, due=-2, closes=-1)
    upgrade.answer("ada", "adds", "start", days=-4)
    before = upgrade.sums()
    edit(upgrade.root / "lessons/first/steps/02-ask.md", BLOCK.format("adds"), "Words.")
    assert run("load_content", upgrade.root)[0] == 0
    assert done(upgrade, "ada", closed) == (1, 3)
    assert upgrade.sums() == before


def test_saving_keeps_names_of_a_load(half_done: Upgrade) -> None:
    before = half_done.sums()
    opened = past_due(half_done)  # as a form read it, before the load
    half_done.load_new_version()
    save_assignment(assignment=opened, by=None)
    assert past_due(half_done).steps == [
        ["first/start", []],
        ["first/ask", ["first/start/adds"]],
        ["first/proof", ["proves"]],
        ["words/notation", []],
    ]
    assert half_done.sums() == before


def test_the_class_page_has_no_dead_end(half_done: Upgrade) -> None:
    rewrite(half_done.root)
    edit(half_done.root / "lessons/words/lesson.yaml", "    renamed_from: [first/notation]\n", "")
    assert run("load_content", half_done.root)[0] == 0
    page = half_done.open_page("cyd", f"/class/{half_done.cohort.slug}/")
    assert at("/learn/first/notation/", "course") not in page
    half_done.read("ben", "notation", days=-1)
    Assignment.objects.update(steps=[["first/gone", []], ["first/start", []]])
    page = half_done.open_page("dan", f"/class/{half_done.cohort.slug}/")
    assert at("/learn/first/gone/", "course") not in page
    assert f'href="{at("/learn/first/", "course")}"' in page


def withdraw_first(upgrade: Upgrade) -> None:
    """Move the steps of the lesson into another one, which replaces it."""
    for file in (upgrade.root / "lessons/first/steps").iterdir():
        file.unlink()
    (upgrade.root / "lessons/first").rename(upgrade.root.parent / "first-before")
    steps = {"begin": "Words.", "asking": BLOCK.format("adds"), "proof": BLOCK.format("proves")}
    write_lesson(upgrade.root, "second", steps, title="Second")
    lesson = upgrade.root / "lessons/second/lesson.yaml"
    for new, old in (("begin", "start"), ("asking", "ask"), ("proof", "proof")):
        edit(lesson, f"slug: {new}\n", f"slug: {new}\n    renamed_from: [first/{old}]\n")
    edit(upgrade.root / "course.yaml", "[first]", "[second]")
    edit(upgrade.root / "questions/adds/question.yaml", "first/ask", "second/asking")
    edit(upgrade.root / "questions/proves/question.yaml", "first/proof", "second/proof")
    code, said = run("load_content", upgrade.root)
    assert code == 0, said


def test_a_withdrawn_lesson_leads_to_its_moved_steps(half_done: Upgrade) -> None:
    withdraw_first(half_done)
    assert Lesson.objects.get(slug="first").withdrawn_at is not None
    browser = browser_of(half_done.member("ada").user)
    answer = browser.get(at("/learn/first/ask/", "course"))
    assert answer.status_code == 301
    assert answer.headers["Location"] == at("/learn/second/asking/", "course")
    assert browser.post(at("/learn/first/start/", "course")).status_code == 308
    assert browser.get(at("/learn/first/notation/", "course")).status_code == 200, "kept for Ada"


def test_an_answer_under_an_old_step_counts(half_done: Upgrade) -> None:
    withdraw_first(half_done)
    open_later = Assignment.objects.order_by("pk")[1]
    sent = {"option": key_of("adds"), "step": "first/ask"}
    half_done.open_page("ada", "/questions/adds/answer/", post=sent)
    assert done(half_done, "ada", open_later, timezone.now()) == (1, 4)


def test_due_work_asks_for_answers_in_the_lesson(half_done: Upgrade) -> None:
    """As marks do: a quiz or a review that asked the question leaves it to be answered here."""

    def undone(name: str) -> list[str]:
        works = due_work(half_done.member(name).user.learner, half_done.now, 9 * DAY)
        return list(next(iter(works)).undone)

    ada = half_done.member("ada").user.learner
    for state in ("adds", "proves"):
        Progress.objects.create(
            learner=ada, course=half_done.cohort.course, kind="question", slug=state, state="done"
        )
    assert undone("ada") == COUNTED
    half_done.answer("ada", "adds", "ask", days=-1)
    assert undone("ada") == ["first/start", "first/proof", "first/notation"]
    assert half_done.cells()["Ada", Assignment.objects.order_by("pk")[1].pk].steps == (1, 4)
    half_done.load_new_version()
    assert undone("ada") == ["first/start", "first/proof", "words/notation"]


def test_due_work_leads_only_to_what_can_be_done(half_done: Upgrade) -> None:
    """As the class page does: not to a step that is gone, nor for a question asked no more."""
    edit(half_done.root / "lessons/first/steps/02-ask.md", BLOCK.format("adds"), "Words.")
    assert run("load_content", half_done.root)[0] == 0
    dan = half_done.member("dan")

    def left_after(*steps: object) -> list[list[str]]:
        Assignment.objects.update(steps=steps)
        works = due_work(dan.user.learner, half_done.now, 9 * DAY)
        return [list(work.undone) for work in works]

    gone, asked_no_more = ["first/gone", []], ["first/ask", ["adds"]]
    assert left_after(gone, asked_no_more, ["first/ask", []]) == [["first/ask"]]
    assert left_after(gone, asked_no_more) == []


def test_a_load_names_a_lost_counted_step(half_done: Upgrade) -> None:
    before = half_done.sums()
    rewrite(half_done.root)
    edit(half_done.root / "lessons/words/lesson.yaml", "    renamed_from: [first/notation]\n", "")
    code, said = run("load_content", half_done.root)
    assert code == 0
    assert said.count("warning:") == 1
    assert (
        "warning: step 'first/notation' counts in the class Class autumn, and is no longer in the"
        " course; expected renamed_from: [first/notation] in the step that has its text now" in said
    )
    assert half_done.sums() == before
    half_done.cohort.assignments.update(closes_at=half_done.now - HOUR, due_at=None)
    edit(half_done.root / "lessons/first/steps/01-begin.md", "A new", "Another")
    assert "warning:" not in run("load_content", half_done.root)[1]


def test_a_question_that_no_step_asks_stays_counted(half_done: Upgrade) -> None:
    before = half_done.sums()
    edit(half_done.root / "lessons/first/steps/02-ask.md", BLOCK.format("adds"), "Words.")
    code, said = run("load_content", half_done.root)
    assert code == 0
    assert "warning: question 'adds' counts in the class Class autumn, and no step asks it" in said
    assert half_done.sums() == before
    assert past_due(half_done).steps[1] == ["first/ask", ["adds"]]
