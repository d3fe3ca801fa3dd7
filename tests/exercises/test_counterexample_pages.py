"""The card after "Correct": who gets which wrong program, who reads a try, what is not counted."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.exercises.counterexamples.choice import ENOUGH_LEARNERS, choose_program
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.exercises.queue import leases
from quizzes.exercises.runs.rows import call_to_start_from
from quizzes.grader.programs import Counterexample
from quizzes.grader.protocol.verdict import Verdict
from quizzes.learners.models import Learner, Progress
from tests import factories
from tests.classes.pages import teach_class
from tests.exercises import making
from tests.exercises.asking import HTMX, PAGE, post

pytestmark = pytest.mark.django_db
COUNTER = f"{PAGE}counterexample/"
HEADING = "Find where it fails"
EVIL = "<script>alert(1)</script>"
FOUND = Counterexample(
    "witness",
    "sinusoidal_table(n=2, d=3)",
    expected_text="[[0.5]]",
    got_text="[[0.25]]",
    size="smallest",
)
CASE = {"label": "a", "probe": "call", "shown": True, "raises": False}
PROOF = {
    "variants": [
        {"slug": name} for name in ("base_1000", "swap", "transposed", "overwrite", "t2t_concat")
    ],
    "cases": [
        CASE | {"passed_by": ["transposed"]},
        CASE | {"passed_by": ["base_1000", "swap", "overwrite"]},
        CASE | {"probe": "rows_unique", "passed_by": []},
        CASE | {"raises": True, "passed_by": []},
    ],
}


@pytest.fixture
def exercise() -> Exercise:
    row = making.ready_exercise()
    ExerciseVersion.objects.filter(pk=row.current_id).update(proof=PROOF)
    return Exercise.objects.select_related("current").get(pk=row.pk)


def test_field_starts_with_a_passing_call(exercise: Exercise) -> None:
    cases = [{"shown": True, "passed_by": by} for by in ([], ["swap"], ["transposed"])]
    version = exercise.current
    version.outline = {"shown": ["f(n=3)", "f(n=4)", "f(n=5)"], "hidden": 0}
    version.proof = {**PROOF, "cases": cases}
    assert call_to_start_from(version) == "f(n=3)"
    assert call_to_start_from(version, passing="transposed") == "f(n=5)"
    assert call_to_start_from(version, passing="overwrite") == ""


def solve(client: Client) -> Submission:
    post(client)
    leases.record(lease=making.lease(), report=making.CORRECT)
    return Submission.objects.latest("pk")


def fragment(client: Client, row: Submission) -> str:
    return client.get(f"{PAGE}submissions/{row.pk}/verdict/", **HTMX).content.decode()


def attempt(client: Client, call: str = "sinusoidal_table(2, 3)", **extra: str):
    return client.post(COUNTER, {"call": call, "key": uuid4()}, **extra)


def record(result: Counterexample) -> Submission:
    leases.record_run(lease=making.lease(), outcome=result)
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    return Submission.objects.latest("pk")


def test_correct_shows_a_wrong_program(client: Client, exercise: Exercise) -> None:
    """On the page and in the fragment; without the words that say what is wrong with it."""
    row = solve(client)
    for text in (fragment(client, row), client.get(row.get_absolute_url()).content.decode()):
        assert HEADING in text
        assert "many first tries" not in text
        assert "ten times too small" not in text
        assert "p / base^(2i/d)" not in text, "nor the reference"
    assert HEADING in client.get(COUNTER).content.decode()


def test_unsolved_exercise_has_no_card(client: Client, exercise: Exercise) -> None:
    post(client)
    leases.record(lease=making.lease(), report=making.WRONG)
    row = Submission.objects.get()
    assert HEADING not in fragment(client, row)
    assert client.get(COUNTER).status_code == 403
    assert attempt(client).status_code == 403
    assert attempt(client, **HTMX).status_code == 409
    assert Submission.objects.count() == 1
    post(client, kind="check")
    assert attempt(Client()).status_code == 403


def test_exercise_without_breakable_mistakes_has_no_card(
    client: Client, exercise: Exercise
) -> None:
    cases = [CASE | {"passed_by": ["base_1000", "swap", "transposed", "overwrite", "t2t_concat"]}]
    ExerciseVersion.objects.update(proof=PROOF | {"cases": cases})
    row = solve(client)
    assert HEADING not in fragment(client, row)
    assert client.get(COUNTER).status_code == 403


def test_open_assignment_hides_the_card(exercise: Exercise) -> None:
    """Also what came of a call before, and one that opens later."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    browser = factories.browser_of(member.user)
    row = solve(browser)
    attempt(browser)
    run = record(FOUND)
    assert browser.get(f"{COUNTER}{run.pk}/").status_code == 200
    later = timezone.now() + timedelta(days=1)
    factories.assign(cohort, exercise, opens_at=later, due_at=later, closes_at=later)
    fresh = factories.browser_of(member.user)
    assert HEADING not in fragment(fresh, row)
    assert HEADING not in fresh.get(row.get_absolute_url()).content.decode()
    answers = [fresh.get(COUNTER), attempt(fresh), fresh.get(f"{COUNTER}{run.pk}/")]
    assert [answer.status_code for answer in answers] == [403] * 3
    assert "0.25" not in answers[2].content.decode()


def test_witness_is_shown_with_both_results(client: Client, exercise: Exercise) -> None:
    """As a page without a script, and as a fragment that replaces the wait."""
    solve(client)
    answer = attempt(client)
    row = Submission.objects.latest("pk")
    assert (answer.status_code, answer.url) == (302, f"{COUNTER}{row.pk}/")
    waiting = client.get(answer.url, **HTMX).content.decode()
    assert f'hx-get="{COUNTER}{row.pk}/?asked=1"' in waiting
    record(FOUND)
    for extra in ({}, HTMX):
        text = client.get(answer.url, **extra).content.decode()
        for part in ("n=2, d=3", "the smallest that we know", "[[0.5]]", "[[0.25]]"):
            assert part in text
    assert "sinusoidal_table(2, 3)" in client.get(answer.url).content.decode(), "in the field"


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Counterexample("same", "f(1)", expected_text="an array of shape (1,)"), "Not here"),
        (Counterexample("refused", problem="Type exactly one call."), "Type exactly one call."),
        (Counterexample("witness", "f(1)", size="not_smallest"), "there is a smaller one"),
        (Counterexample("witness", "f(1)", size="below_all"), "smaller than any"),
    ],
)
def test_each_outcome_has_its_words(
    client: Client, exercise: Exercise, result: Counterexample, words: str
) -> None:
    solve(client)
    attempt(client)
    row = record(result)
    text = client.get(f"{COUNTER}{row.pk}/", **HTMX).content.decode()
    assert words in text
    assert "the smallest that we know" not in text


def test_try_is_read_by_its_learner_alone(client: Client, exercise: Exercise) -> None:
    """Neither by another learner who solved it, nor by the class's staff, at no address."""
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    teacher = factories.create_member(cohort, "tea", role="instructor")
    browser = factories.browser_of(member.user)
    solve(browser)
    attempt(browser)
    row = record(FOUND)
    solve(client)
    own = f"{COUNTER}{row.pk}/"
    others = [f"{PAGE}runs/{row.pk}/", f"{PAGE}submissions/{row.pk}/"]
    viewing = factories.browser_of(teacher.user)
    assert viewing.post(teach_class(f"people/{member.pk}/view/")).status_code == 302
    for reader in (client, factories.browser_of(teacher.user), viewing):
        assert {reader.get(address).status_code for address in (own, *others)} == {404}
        assert "no longer here" in reader.get(f"{PAGE}?from=run-{row.pk}").content.decode()
    assert browser.get(own).status_code == 200
    assert {browser.get(address).status_code for address in others} == {404}


def test_try_counts_for_nothing(client: Client, exercise: Exercise) -> None:
    solve(client)
    before = list(Progress.objects.values())
    attempt(client)
    record(FOUND)
    assert list(Progress.objects.values()) == before
    assert "Submission 2" not in client.get(PAGE).content.decode()
    assert attempt(client).status_code == 302
    many = attempt(client, "sinusoidal_table(1, 1)", **HTMX)
    assert (many.status_code, many["Retry-After"]) == (429, "1")
    assert "once a second" in many.content.decode()


def test_hostile_texts_are_escaped(client: Client, exercise: Exercise) -> None:
    solve(client)
    for state in ("witness", "refused", "same"):
        attempt(client, EVIL)
        row = record(Counterexample(state, EVIL, EVIL, EVIL, EVIL))
        for extra in ({}, HTMX):
            assert EVIL not in client.get(f"{COUNTER}{row.pk}/", **extra).content.decode()


@pytest.mark.parametrize("call", ["", " ", "f(" + "1" * 1000, "f(\0)"])
def test_call_that_cannot_be_stored_is_refused(
    client: Client, exercise: Exercise, call: str
) -> None:
    solve(client)
    answer = attempt(client, call, **HTMX)
    assert (answer.status_code, "call" in answer.content.decode()) == (400, True)
    assert attempt(client, call).status_code == 400
    assert Submission.objects.count() == 1


def test_damaged_try_is_our_failure(client: Client, exercise: Exercise) -> None:
    solve(client)
    attempt(client)
    row = record(FOUND)
    for stored in ({"state": "witness", "odd": 1}, {"output": 3}, None):
        row.run.outcome = stored
        row.run.save()
        assert "our fault" in client.get(f"{COUNTER}{row.pk}/").content.decode()


def test_most_frequent_mistake_is_chosen_and_stays(client: Client, exercise: Exercise) -> None:
    """Of what others made before; few are no crowd, and nobody's later work changes it."""
    make(exercise, "swap", ENOUGH_LEARNERS - 1)
    first = learner_of(solve(client))
    make(exercise, "swap", 1)
    second = learner_of(solve(Client()))
    make(exercise, "overwrite", ENOUGH_LEARNERS + 2)
    make(exercise, "t2t_concat", ENOUGH_LEARNERS + 3)  # a convention, which is right
    assert chosen(exercise, first) == ("base_1000", False)
    assert chosen(exercise, second) == ("swap", True)
    third = Client()
    row = solve(third)
    assert chosen(exercise, learner_of(row)) == ("overwrite", True)
    assert "that many first tries resemble" in fragment(third, row)


def test_mistake_of_every_call_is_not_chosen(client: Client, exercise: Exercise) -> None:
    """Any arguments would do; it is chosen where there is no other."""
    learner = solve(client).learner
    trivial = [*PROOF["cases"][:1], CASE | {"passed_by": ["swap"]}]
    ExerciseVersion.objects.update(proof=PROOF | {"cases": trivial})
    assert chosen(again(exercise), learner) == ("swap", False)
    ExerciseVersion.objects.update(proof=PROOF | {"cases": [CASE | {"passed_by": []}]})
    assert chosen(again(exercise), learner) == ("base_1000", False)


def again(exercise: Exercise) -> Exercise:
    return Exercise.objects.select_related("current").get(pk=exercise.pk)


def make(exercise: Exercise, mistake: str, learners: int) -> None:
    for _ in range(learners):
        factories.create_submission(
            exercise, making.new_learner(), Verdict.KNOWN_MISTAKE.value, known_mistake=mistake
        )


def learner_of(row: Submission) -> Learner:
    return row.learner


def chosen(exercise: Exercise, learner: Learner) -> tuple[str, bool]:
    program = choose_program(exercise=exercise, learner=learner)
    assert program is not None
    assert program.code.startswith("import numpy")
    return program.mistake, program.is_frequent
