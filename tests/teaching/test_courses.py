"""One course at a time: nothing of another course, withdrawing, copies, whom the class counts."""

import pytest

from quizzes.assessment.models import Question, Quiz, Response
from quizzes.assessment.services import start_attempt
from quizzes.authoring.copies import CopyError
from quizzes.courses.models import Course, CourseStaff
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import published_exercises
from quizzes.learners.models import Learner, ReviewCard, User
from quizzes.learners.services import next_waiting_card
from quizzes.teaching import course_views
from quizzes.teaching.course_results import exercise_work, facilities
from quizzes.teaching.lists import attempt_rows
from tests.assessment.content import write_question
from tests.classes.pages import teach_class
from tests.courses import at, some_course
from tests.drafts import revision_of
from tests.factories import (
    create_browser,
    create_class,
    create_exercise,
    create_learner,
    create_member,
)
from tests.teaching.forms import address, form, quiz_form, teach
from tests.teaching.test_class import hand_in, take

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

OTHER = "other-course"


@pytest.fixture
def twin(quiz, exercise, tmp_path, load):
    """A second course in which everything has the names that it has in the first."""
    other = some_course(OTHER)
    write_question(tmp_path, "one")
    load(into=other)
    create_exercise(course=other)
    return other


LISTS = ["class/", "questions/", "quizzes/", "exercises/"]


def test_the_work_of_another_course_with_the_same_names_does_not_appear(ada, course, twin):
    there = create_learner("there-only")
    take(Quiz.objects.get(course=twin), there, "three")
    hand_in(Exercise.objects.get(course=twin), there, "swapped")
    draft = Question.objects.get(course=twin, slug="two")
    editor = create_browser("eve", course=OTHER, role="editor")
    sent = form(prompt="Only there?", revision=revision_of(draft), do="save")
    assert editor.post(teach("questions/two/", OTHER), sent).status_code == 302
    for path in ["", *LISTS, "exercises/add/", "questions/one/", "quizzes/sums/"]:
        page = ada.get(teach(path)).content.decode()
        for mark in ("there-only", "Only there?", "swapped", f"/{OTHER}/", "1 learner"):
            assert mark not in page, (path, mark)
    sent = teach(f"failures/{there.submissions.get().pk}/grade-anew/")
    assert ada.post(sent).status_code == 404
    assert there.submissions.get().graded_at
    assert facilities(course) == {}
    assert exercise_work(course) == {}
    assert exercise_work(twin)["add"].learners == 1


def test_what_is_written_in_one_course_leaves_the_other_as_it_is(ada, course, twin):
    before = list(Question.objects.filter(course=twin).values()), list(twin.quizzes.values())
    ada.post(address("one"), form())
    ada.post(teach("questions/"), {"slug": "new-one"})
    ada.post(teach("questions/one/duplicate/"), {"slug": "copy-of-one"})
    ada.post(address("two"), form("two", do="save"))
    ada.post(teach("questions/two/withdraw/"))
    ada.post(teach("exercises/add/withdraw/"))
    ada.post(teach("quizzes/sums/"), quiz_form(questions=["one"]))
    assert Question.objects.get(course=course, slug="one").current.prompt == "What is $2 + 2$?"
    assert (
        list(Question.objects.filter(course=twin).values()),
        list(twin.quizzes.values()),
    ) == before
    assert Exercise.objects.get(course=twin).withdrawn_at is None


def test_a_learner_named_in_the_address_must_be_of_this_course(ada, twin):
    stranger = create_learner("there-only")
    take(Quiz.objects.get(course=twin), stranger, "three")
    for path in ("attempts/", "submissions/"):
        assert "there-only" not in ada.get(teach(path), {"learner": stranger.pk}).content.decode()


# ---- whom the class counts


def learner_of(user):
    return Learner.objects.create(user=user)


@pytest.mark.parametrize("kind", ["viewer", "editor", "owner", "superuser", "demo"])
def test_work_of_staff_and_demo_accounts_is_not_of_the_class(course, quiz, exercise, kind):
    user = User.objects.create_user("tries", is_superuser=kind == "superuser")
    User.objects.filter(pk=user.pk).update(is_demo=kind == "demo")
    if kind in {"viewer", "editor", "owner"}:
        CourseStaff.objects.create(course=course, user=user, role=kind)
    tries, student = learner_of(user), Learner.objects.create()
    for one in (tries, student):
        take(quiz, one, "three" if one is tries else "two")
        hand_in(exercise, one, "swapped")
    version = Question.objects.get(slug="one").current_id
    assert (facilities(course)[version].met, facilities(course)[version].right) == (1, 1)
    work = exercise_work(course)["add"]
    assert (work.learners, work.submissions) == (1, 1)
    assert work.mistakes[0].learners == 1


def test_the_staff_of_another_course_is_of_the_class(course, quiz):
    user = User.objects.create_user("colleague")
    CourseStaff.objects.create(course=some_course(OTHER), user=user, role="owner")
    take(quiz, learner_of(user), "two")
    assert {one.met for one in facilities(course).values()} == {1}


def test_blanks_have_a_row_of_their_own_and_shares_are_of_all(ada, quiz):
    for text in ("two", "three", "", ""):
        take(quiz, Learner.objects.create(), text)
    rows = ada.get(address("one")).context["answers"]
    assert [(str(row["text"]), row["times"], row["percent"]) for row in rows] == [
        ("two", 1, 25),
        ("three", 1, 25),
        ("none of these", 0, 0),
        ("Left blank", 2, 50),
    ]


def test_only_the_attempts_of_a_page_are_counted(ada, quiz, django_assert_num_queries):
    cohort = create_class(course=quiz.course, by=User.objects.get(username="ada"))
    learners = [create_member(cohort, f"student-{n}").user.learner for n in range(52)]
    made = [start_attempt(learner=learner, quiz=quiz) for learner in learners]
    newest = ada.get(teach_class("attempts/")).context
    assert [row.work.pk for row in newest["rows"]] == [one.pk for one in reversed(made[2:])]
    older = {"before": newest["page"].older}
    last = ada.get(teach_class("attempts/"), older).context["rows"]
    assert [row.work.pk for row in last] == [made[1].pk, made[0].pk]
    with django_assert_num_queries(1) as counted:
        assert [(one.right, one.question_count) for one in attempt_rows([made[3].pk])] == [(0, 3)]
    assert str(made[3].pk) in counted.captured_queries[0]["sql"].partition("WHERE")[2]
    assert attempt_rows([]) == []


# ---- withdrawing


def test_a_withdrawn_question_is_asked_nobody_anew_until_it_is_brought_back(ada, client, quiz):
    question = Question.objects.get(slug="two")
    attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    card = ReviewCard.objects.create(
        learner=attempt.learner, course=quiz.course, kind="question", slug="two"
    )
    page = ada.post(teach("questions/two/withdraw/"), follow=True).content.decode()
    assert "Withdrawn: it is no longer asked." in page
    assert "Restore it" in page
    assert "Withdrawn" in ada.get(teach("questions/")).content.decode()
    later = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    asked = Response.objects.filter(version__question=question)
    assert not asked.filter(attempt=later).exists()
    assert asked.filter(attempt=attempt).exists()
    card.refresh_from_db()
    assert card.is_set_aside
    assert next_waiting_card(card.learner) is None
    again = ada.post(teach("questions/two/withdraw/"), follow=True).content.decode()
    assert "It is already withdrawn." in again
    page = ada.post(teach("quizzes/sums/"), quiz_form(questions=["two"]), follow=True)
    assert "&#x27;two&#x27; is withdrawn" in page.content.decode()
    page = ada.post(address("two"), form("two"), follow=True).content.decode()
    assert "The question is withdrawn: restore it so that it can be asked." in page
    assert "Restored" in ada.post(teach("questions/two/restore/"), follow=True).content.decode()
    back = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    assert asked.filter(attempt=back).exists()
    card.refresh_from_db()
    assert not card.is_set_aside


def test_a_withdrawn_exercise_is_found_by_those_who_worked_on_it(ada, client, course, exercise):
    page = ada.post(teach("exercises/add/withdraw/"), follow=True).content.decode()
    assert "Withdrawn: only learners who have worked on it" in page
    assert not published_exercises(course).exists()
    assert client.get(at("/exercises/add/")).status_code == 410
    assert "Withdrawn" in ada.get(teach("exercises/")).content.decode()
    page = ada.post(teach("exercises/add/restore/"), follow=True).content.decode()
    assert "Restored" in page
    assert published_exercises(course).get() == exercise
    page = ada.post(teach("exercises/add/restore/"), follow=True).content.decode()
    assert "It was not withdrawn." in page


def test_what_is_brought_back_here_is_taken_by_no_load(ada, quiz, exercise):
    Question.objects.filter(slug="two").update(withdrawn_at="2026-01-01T00:00:00Z")
    Exercise.objects.update(withdrawn_at="2026-01-01T00:00:00Z", loaded_hash="x")
    Quiz.objects.update(withdrawn_at="2026-01-01T00:00:00Z")
    for path in ("questions/two/restore/", "exercises/add/restore/"):
        ada.post(teach(path))
    ada.post(teach("quizzes/sums/"), quiz_form(questions=["two"]))
    assert Question.objects.get(slug="two").loaded_hash == ""
    for model in (Exercise, Quiz):
        row = model.objects.get()
        assert (row.withdrawn_at, row.loaded_hash) == (None, "")


# ---- copies


@pytest.fixture
def copies(monkeypatch):
    """Copying as a site does it; the names of the courses that were copied."""
    made = []

    def copier(source, *, slug, title, owner):
        if slug == "refused":
            raise CopyError("Something of it cannot be copied.")
        made.append((source.slug, slug, title))
        copy = Course.objects.create(slug=slug, title=title, is_listed=False)
        CourseStaff.objects.create(course=copy, user=owner, role="owner")
        return copy

    monkeypatch.setattr(course_views, "copy_course", copier)
    return made


@pytest.mark.parametrize("role", ["viewer", "owner"])
def test_an_instructor_with_any_role_copies_a_course_and_owns_the_copy(course, copies, role):
    ada = create_browser("ada", role=role)
    assert "Copy this course" in ada.get(teach()).content.decode()
    answer = ada.post(teach("copy/"), {"slug": "my-course", "title": "My course"})
    assert answer.url == teach("", "my-course")
    assert copies == [(course.slug, "my-course", "My course")]
    made = Course.objects.get(slug="my-course")
    assert not made.is_listed
    assert [(one.user.username, one.role) for one in made.staff.all()] == [("ada", "owner")]
    assert ada.get(answer.url).status_code == 200


def test_a_site_copies_courses_and_names_what_it_cannot_copy(ada):
    some_course()  # without anything in it: no file of a course is like that
    answer = ada.post(teach("copy/"), {"slug": "mine", "title": "Mine"})
    assert answer.status_code == 400
    assert "cannot be copied as it is" in answer.content.decode()
    assert not Course.objects.filter(slug="mine").exists()


@pytest.mark.parametrize(
    ("slug", "title", "words"),
    [
        ("No!", "T", "must be lower-case words"),
        (OTHER, "T", f"there is already a course {OTHER}"),
        ("refused", "T", "Something of it cannot be copied."),
        ("fine", "", "This field is required"),
    ],
)
def test_a_copy_that_cannot_be_made_says_why_and_keeps_what_was_typed(copies, slug, title, words):
    some_course(OTHER)
    answer = create_browser("ada", role="editor").post(
        teach("copy/"), {"slug": slug, "title": title}
    )
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert f'value="{slug}"' in answer.content.decode()
    assert copies == []
    assert not CourseStaff.objects.exclude(role="editor").exists()


def test_a_viewer_who_is_no_instructor_copies_nothing(course, copies):
    viewer = create_browser("vera")
    CourseStaff.objects.create(course=course, user=User.objects.get(), role="viewer")
    assert "Copy this course" not in viewer.get(teach()).content.decode()
    assert viewer.get(teach("copy/")).status_code == 403
    assert viewer.post(teach("copy/"), {"slug": "x", "title": "X"}).status_code == 403
