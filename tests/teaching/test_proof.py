"""The page of an exercise draws the verification report that the grader stored."""

import json
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.exercises import publishing
from quizzes.exercises.models import ExerciseVersion
from quizzes.grader.definitions.verification_report import (
    VerificationReport,
    VerifiedCase,
    VerifiedClause,
    VerifiedVariant,
    Warned,
)
from quizzes.grader.definitions.worked_examples import Example
from quizzes.grader.judge import RESERVED_MISTAKES
from quizzes.teaching.exercise_views import verification_context
from tests.factories import create_exercise
from tests.teaching.forms import teach
from tests.teaching.test_class import hand_in

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def variant(slug, *, caught_by, told_apart=True, kind="mistake"):
    return VerifiedVariant(
        slug=slug,
        kind=kind,
        sentence=f"You wrote {slug} <b>.",
        step="a/b",
        verdict="known_mistake",
        named=slug if told_apart else None,
        told_apart=told_apart,
        caught_by=caught_by,
        first_case="small",
        stage="values",
    )


PROOF = VerificationReport(
    slug="add",
    content_hash="x" * 64,
    seconds=1.25,
    cases=(
        VerifiedCase("small", "call", True, False, False, ("swapped", "missed")),
        VerifiedCase("large", "call", False, True, False, ("missed",)),
    ),
    variants=(
        variant("swapped", caught_by=1),
        variant("other", caught_by=2, kind="convention"),
        variant("missed", caught_by=0, told_apart=False),
    ),
    examples=(Example(line=3, source="add(1, 1)", expected="3", got="2", ok=False),),
    warnings=(Warned("dtype", "float16 is named and never tested"),),
    clauses=(
        VerifiedClause("1", "It adds.", ("swapped",), (), ""),
        VerifiedClause("2a", "in `float64`", (), ("other fails “small” of 1 too",), ""),
        VerifiedClause("2b", "quickly", (), (), "time is not measured"),
        VerifiedClause("3", "*Each* $x_1$ counts.", (), (), "why not"),
    ),
)


def test_stored_variants_call_a_stage_a_rung():
    assert [variant["rung"] for variant in PROOF.as_json()["variants"]] == ["values"] * 3
    assert "stage" not in PROOF.as_json()["variants"][0]


@pytest.fixture
def exercise(course):
    return create_exercise(
        proof=PROOF.as_json(),
        problems=["reference.py:3: <boom>"],
        verification="refused",
        verified_at=timezone.now(),
    )


def test_the_matrix_says_which_case_catches_what():
    shown = verification_context(PROOF.as_json(), {"swapped": (2, 5)})
    assert (shown.caught, shown.told_apart, shown.total, shown.percent) == (2, 2, 3, 66)
    assert [[cell.caught for cell in one.cells] for one in shown.variants] == [
        [False, True],
        [True, True],
        [False, False],
    ]
    assert [(one.learners, one.submissions) for one in shown.variants] == [(2, 5), (0, 0), (0, 0)]
    assert [(case.label, case.lets_through, case.weakest, case.weak) for case in shown.cases] == [
        ("small", 2, True, True),
        ("large", 1, False, False),  # a third, not more
    ]
    assert shown.weakest == "On its own, the case “small” lets 2 of 3 wrong solutions through."


def test_every_case_that_lets_many_through_is_remarked_on_and_the_page_stays_short():
    weak = [
        VerifiedCase(f"case {n}", "call", False, False, False, ("swapped",) * 2) for n in "1234"
    ]
    most = VerifiedCase("empty", "call", False, False, False, ("swapped", "other", "missed"))
    measured = replace(most, label="kept", probe="norm_change")
    proof = replace(PROOF, cases=(*PROOF.cases, measured, *weak, most))
    assert proof.remarks == (
        "On its own, each of these cases lets more than a third of the wrong solutions through:"
        " “empty” (3 of 3), “small” (2 of 3), “case 1” (2 of 3), “case 2” (2 of 3),"
        " “case 3” (2 of 3), “case 4” (2 of 3).",
        "float16 is named and never tested",
    )
    shown = verification_context(json.loads(json.dumps(proof.as_json())), {})
    named = ["empty", "small", "case 1", "case 2", "case 3"]
    assert [one.label for one in shown.weak_named] == named
    assert shown.weak_more == 1


def test_the_page_says_that_every_clause_is_broken_alone(ada, exercise):
    assert "requirement 1 alone" not in ada.get(teach("exercises/add/")).content.decode()
    stored = replace(PROOF, clauses=PROOF.clauses[:1]).as_json()
    for proof, words in (
        (stored, "Each clause of the requirements has a known mistake"),
        (older(stored), ""),
    ):
        ExerciseVersion.objects.filter(pk=exercise.current_id).update(proof=proof)
        page = ada.get(teach("exercises/add/")).content.decode()
        assert words in page
        assert ("<h3>Requirements</h3>" in page) is bool(words)


def older(proof):
    """Return a proof as it was stored before clauses were looked at."""
    return {name: value for name, value in proof.items() if name != "clauses"}


@pytest.mark.parametrize("stored", [None, {}, {"schema": 99}])
def test_what_is_not_known_is_not_drawn(stored):
    assert verification_context(stored, {}) is None


def test_the_page_shows_score_weakest_case_lint_and_who_made_what(ada, exercise, learner):
    hand_in(exercise, learner, "swapped")
    page = ada.get(teach("exercises/add/")).content.decode()
    for words in (
        "66 %",
        "2 of 3 wrong solutions are caught",
        "On its own, the case “small” lets 2 of 3 wrong solutions through.",
        "<li>“small” lets 2 of 3 through</li>",
        "<strong>Type of numbers:</strong> float16 is named and never tested",
        "An example disagrees with the reference",
        'No known mistake breaks requirement 2a alone: in <code class="code--short">float64</code>',
        "other fails “small” of 1 too.",
        "No known mistake breaks requirement 2b alone: quickly",
        "The author’s reason: time is not measured.",
        "requirement 3 alone: <em>Each</em> <math>",
        "Not caught",
        "Not distinguished",
        "1 learner, 1 time",
        "reference.py:3: &lt;boom&gt;",
        "You wrote swapped &lt;b&gt;.",
    ):
        assert words in page, words
    assert "2 of 3" in ada.get(teach("exercises/")).content.decode()


@pytest.mark.parametrize("end", ["", ".", "?"])
def test_reason_ends_with_one_mark(ada, exercise, end):
    clauses = (replace(PROOF.clauses[2], waiver=f"time is not measured{end}"),)
    proof = replace(PROOF, clauses=clauses).as_json()
    ExerciseVersion.objects.filter(pk=exercise.current_id).update(proof=proof)
    page = ada.get(teach("exercises/add/")).content.decode()
    assert f"reason: time is not measured{end or '.'}</span>" in page


def test_what_the_grader_names_itself_is_explained_where_it_was_made(ada, exercise, learner):
    address = teach("exercises/add/")
    assert "row-constant" not in ada.get(address).content.decode()
    hand_in(exercise, learner, "row-constant")
    page = ada.get(address).content.decode()
    assert "convention, found by the grader itself" in page
    assert RESERVED_MISTAKES["row-constant"].sentence.split(":")[0] in unescape(page)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("verification", "words"),
    [
        ("waiting", "A worker is verifying this version"),
        ("ok", "There is no verification report for this version"),
    ],
)
def test_without_a_proof_the_page_says_why(ada, exercise, verification, words):
    changed = {"verification": verification, "proof": None}
    changed["verified_at"] = exercise.current.created_at if verification == "ok" else None
    ExerciseVersion.objects.filter(pk=exercise.current_id).update(**changed)
    assert words in ada.get(teach("exercises/add/")).content.decode()


@pytest.mark.both_databases
def test_a_refused_version_is_verified_again(ada, exercise):
    address = teach("exercises/add/")
    assert "Verify it again" in ada.get(address).content.decode()
    assert Client().post(f"{address}verify/").url.startswith("/accounts/login/")
    page = ada.post(f"{address}verify/", follow=True).content.decode()
    assert "Version 1 will be verified again." in page
    waiting = publishing.lease_unverified()
    assert (waiting.number, waiting.problems, waiting.preparations) == (1, [], 1)
    page = ada.post(f"{address}verify/", follow=True).content.decode()
    assert "No version of this exercise has been refused." in page


@pytest.mark.both_databases
def test_a_refused_version_is_shown_beside_the_one_learners_have(ada, exercise):
    old = {"verification": "ok", "problems": []}
    ExerciseVersion.objects.filter(pk=exercise.current_id).update(**old)
    ExerciseVersion.objects.create(
        exercise=exercise,
        number=2,
        content_hash="y" * 64,
        title="Add",
        files={},
        problems=["cases.py:1: no case"],
        verification="refused",
        verified_at=timezone.now(),
    )
    page = ada.get(teach("exercises/add/")).content.decode()
    assert "Version 2 was refused; learners still get version 1." in page
    assert "cases.py:1: no case" in page
    assert "Verify it again" in page


def test_an_exercise_whose_cases_cannot_be_drawn_says_so_and_is_tried_again(ada, exercise):
    address, problem = teach("exercises/add/"), "cases.py:3: ZeroDivisionError"
    ExerciseVersion.objects.filter(pk=exercise.current_id).update(
        verification="ok", problems=[problem]
    )
    page = ada.get(address).content.decode()
    assert problem in page
    assert "learners get the existing ones" in page
    page = ada.post(f"{address}verify/", follow=True).content.decode()
    assert "The cases of version 1 will be drawn again." in page
    assert problem not in page
    exercise.current.refresh_from_db()
    assert (exercise.current.verification, exercise.current.problems) == ("ok", [])
