"""The list and the page of an exercise, asked without a browser."""

import re

import pytest

from quizzes.exercises import publishing, summary
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.queue import leases
from quizzes.grader.definitions.definition import read_definition
from quizzes.learners.models import Learner
from quizzes.learners.services import record_progress
from quizzes.pages.course_order import CoursePlace
from tests.courses import SLUG, at, some_course
from tests.exercises import making
from tests.exercises.asking import PAGE, graded, post, with_everything

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]


def test_the_index_lists_exercises_with_this_learners_state(client, exercise):
    assert "Not tried yet" in client.get(at("/exercises/")).content.decode()
    post(client)
    record_progress(
        exercise.course_id,
        learner=Learner.objects.get(),
        kind="exercise",
        slug="sinusoidal-table",
        state="done",
    )
    assert "Solved" in client.get(at("/exercises/")).content.decode()


def test_the_index_says_what_each_exercise_asks_and_is_written_with(client, exercise):
    text = client.get(at("/exercises/")).content.decode()
    asked = text.partition("exercise-line__task")[2].partition("</div>")[0]
    first = exercise.current.files["statement.md"].partition(".")[0].replace("\n", " ")
    assert first.split("`")[0] in asked
    assert "```" not in asked
    assert "A function, NumPy" in text


def test_an_empty_index_says_what_to_do(client):
    some_course()
    assert "load_content" in client.get(at("/exercises/")).content.decode()


def test_looking_writes_nothing(client, exercise):
    client.get(at("/exercises/"))
    client.get(PAGE)
    assert not Learner.objects.exists()
    assert not client.cookies.get("learner")


def test_the_page_says_beforehand_what_check_and_submit_do(client, exercise):
    text = client.get(PAGE).content.decode()
    assert 'value="check"' in text
    assert 'value="submit"' in text
    assert "hidden" in text
    assert "def sinusoidal_table" in text  # the starter
    assert "You are not signed in" in text


def test_page_says_what_each_button_does(client, exercise):
    """In a sentence that everybody sees, not only those who hear the page."""
    text = client.get(PAGE).content.decode()
    form = text.partition('id="code-form"')[2].partition("</form>")[0]
    buttons = re.findall(r'<button [^>]*name="kind"[^>]*>([\w-]+)</button>', form)
    assert {"Run", "X-ray", "Check", "Submit"} <= set(buttons)
    help_text = re.search(r'<p class="field__help" id="buttons-mean">(.*?)</p>', form, re.S)
    assert help_text is not None
    assert [button for button in buttons if button not in help_text[1]] == []


def test_an_unknown_exercise_is_not_found(client):
    assert client.get(at("/exercises/nothing/")).status_code == 404


def test_a_refused_exercise_says_so_and_takes_nothing(client):
    making.unverified_exercise()
    publishing.refuse(version=publishing.lease_unverified(), problems=["starter.py: secret"])
    text = client.get(PAGE).content.decode()
    assert "is not accepting code right now" in text
    assert "starter.py: secret" not in text
    assert post(client).status_code == 409


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(client, exercise, method):
    assert getattr(client, method)(PAGE).status_code == 405


def test_one_goes_on_with_a_submissions_code(client, exercise):
    client.post(PAGE, {"code": "mine = 'é'\n", "kind": "submit"})
    row = Submission.objects.get()
    assert (
        "\nmine = &#x27;é&#x27;\n</textarea>"
        in client.get(f"{PAGE}?from={row.pk}").content.decode()
    )


@pytest.mark.parametrize("wanted", ["0", "x", "-1", "9" * 30, "starter", "%00"])
def test_a_from_that_names_nothing_is_no_error_of_ours(client, exercise, wanted):
    assert client.get(f"{PAGE}?from={wanted}").status_code in (200, 404)


def test_pages_take_a_constant_number_of_queries(client, exercise, django_assert_num_queries):
    for _ in range(3):
        graded(with_everything(), client=client)
    client.get(PAGE)
    with django_assert_num_queries(6):
        client.get(PAGE)
    graded(with_everything(), client=client)
    client.get(PAGE)  # the first visit caches the content of the course
    with django_assert_num_queries(6):
        client.get(PAGE)
    address = Submission.objects.first().get_absolute_url()
    with django_assert_num_queries(8):  # one for what was regraded
        client.get(address)


def test_the_history_comes_with_the_verdict_when_the_page_asks_for_it(client, exercise):
    row = graded(making.CORRECT, client=client)
    address = f"{PAGE}submissions/{row.pk}/verdict/"
    assert 'id="history"' not in client.get(address).content.decode()
    assert 'id="history"' in client.get(address, {"with": "history"}).content.decode()


def test_each_course_has_its_own_exercise_of_a_name(client, exercise):
    other = making.ready_exercise(course="another-course")
    there = other.get_absolute_url()
    assert there == at("/exercises/sinusoidal-table/", "another-course")
    client.post(there, {"code": "there = 1", "kind": "submit", "key": ""})
    assert Submission.objects.get().exercise_version.exercise == other
    leases.record(lease=making.lease(), report=making.CORRECT)
    assert "Solved" in client.get(at("/exercises/", "another-course")).content.decode()
    assert "Solved" not in client.get(at("/exercises/")).content.decode()
    assert f"{there}submissions/" in client.get(there).content.decode()
    assert "/submissions/" not in client.get(PAGE).content.decode()


def test_links_in_texts_lead_into_their_course(client):
    for course in (SLUG, "another-course"):
        exercise = making.ready_exercise(course=course)
        said = "See [rows](/learn/rope/code-it/).\n\nMore [here](/learn/rope/turning/).\n"
        files = exercise.current.files | {"statement.md": said}
        publishing.add_version(
            exercise=exercise, definition=read_definition(exercise.slug, files), files=files
        )
        if version := publishing.lease_unverified():  # in one course: equal files are verified once
            publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 6})
    for course in (SLUG, "another-course"):  # the second finds what the first has rendered
        listed = client.get(at("/exercises/", course)).content.decode()
        assert f'href="{at("/learn/rope/code-it/", course)}"' in listed
        page = client.get(at("/exercises/sinusoidal-table/", course)).content.decode()
        assert f'href="{at("/learn/rope/turning/", course)}"' in page
        assert 'href="/learn/' not in listed + page


@pytest.mark.both_databases
def test_the_list_follows_the_course_and_what_stands_nowhere_comes_last(
    client, exercise, monkeypatch
):
    for slug, step in (("late", "rope/code-it"), ("stray", "nowhere/at-all")):
        files = exercise.current.files | {"exercise.yaml": exercise.current.files["exercise.yaml"]}
        other = Exercise.objects.create(course=exercise.course, slug=slug)
        definition = read_definition(slug, files)
        version = publishing.add_version(exercise=other, definition=definition, files=files)
        type(version).objects.filter(pk=version.pk).update(step=step, title=slug)
    places = [CoursePlace("rope/code-it", "RoPE"), CoursePlace(exercise.current.step, "The values")]
    monkeypatch.setattr(summary, "places", lambda _course: places)
    text = client.get(at("/exercises/")).content.decode()
    heads = ["RoPE", ">late<", "The values", f">{exercise.current.title}<", "More", ">stray<"]
    found = [text.index(head) for head in heads]
    assert found == sorted(found)
