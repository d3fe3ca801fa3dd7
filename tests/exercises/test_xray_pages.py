"""X-rays on the pages of an exercise: who reads them, what they show, and what they withhold."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.classes.assignments import set_exceptions
from quizzes.classes.models import Membership
from quizzes.exercises import page_context
from quizzes.exercises.models import CodeRun, Exercise, ExerciseVersion, Submission
from quizzes.exercises.queue import batch_pictures, leases
from quizzes.exercises.solution import ENOUGH_TRIES
from quizzes.exercises.xray import rows, views
from quizzes.grader.judge.report import CaseResult, Report, ReportedFinding, Verdict
from quizzes.grader.programs import Difference, Expression, PlaceValue, XRay
from quizzes.grader.programs.xray import ExpressionPicture
from quizzes.grader.protocol.verdict import Stage
from tests import factories
from tests.exercises import making
from tests.exercises.asking import HTMX, PAGE, beat

pytestmark = [pytest.mark.django_db(transaction=True)]
EVIL = "<script>alert(1)</script>"
KNOWN = Expression(
    [(1, 0, 1, 7), (1, 0, 1, 1)],
    "np.ones",
    3,
    "last",
    "an array of shape (2,), float64",
    "[0., 1.]",
    "From 0 to 1.",
    known=True,
)
RESULT = XRay(call="f(1)", expressions=(KNOWN,), compared=True, seconds=0.01)
GREEN = "A green line"
HALF = PlaceValue("an array of shape (2,), float64", "[0.5 0.5]", "", None)
OTHER = PlaceValue("an array of shape (2,), float64", "[0.25 8.25]", "", None)
PLACE = Difference((1, 0, 1, 7), "np.ones", "2 * i", 1, HALF, OTHER)
PLACED = replace(RESULT, first_difference=PLACE)
FIRST = "occurs in none that we know. Look there first."


@pytest.fixture
def exercise() -> Exercise:
    exercise = making.ready_exercise()
    outline = {"shown": ["f(1)", "f(2)"], "hidden": 3}
    ExerciseVersion.objects.filter(exercise=exercise).update(outline=outline)
    return exercise


def form(**changed: object) -> dict[str, object]:
    return {"code": "np.ones", "kind": "xray", "call": "f(1)", "key": uuid4(), **changed}


def send(client: Client, outcome: XRay = RESULT, kind: str = "xray-1") -> Submission:
    assert client.post(PAGE, form(kind=kind)).status_code == 302
    leases.record_run(lease=making.lease(), outcome=outcome)
    return Submission.objects.latest("pk")


def page_of(row: Submission) -> str:
    return f"{PAGE}xrays/{row.pk}/"


def test_xray_shows_expressions_by_line(client: Client, exercise: Exercise) -> None:
    row = send(client)
    for extra in ({}, HTMX):
        text = client.get(page_of(row), **extra).content.decode()
        for part in (KNOWN.text, KNOWN.what, KNOWN.numbers, KNOWN.note, "3, last value", GREEN):
            assert part in text
    assert 'id="xray-data"' in client.get(page_of(row), **HTMX).content.decode()


def test_xray_says_that_a_loop_went_on(client: Client, exercise: Exercise) -> None:
    row = send(client, replace(RESULT, expressions=(replace(KNOWN, which="first", goes_on=True),)))
    text = " ".join(client.get(page_of(row)).content.decode().split())
    assert "at least 3, first value" in text
    assert "What runs more than 256 times was recorded for its first passes" in text
    script = client.get(page_of(row), **HTMX).content.decode()
    assert "Ran at least 3 times. This is its first value." in script


def test_xray_without_a_script_has_a_page(client: Client, exercise: Exercise) -> None:
    answer = client.post(PAGE, form())
    row = Submission.objects.get()
    assert answer.url == page_of(row)
    beat()
    assert "Your code is next" in client.get(answer.url).content.decode()
    assert "np.ones" in client.get(f"{PAGE}?from=run-{row.pk}").content.decode()


@pytest.mark.parametrize("kind", ["xray", "xray-1"])
def test_xray_of_a_case_names_it(client: Client, exercise: Exercise, kind: str) -> None:
    client.post(PAGE, form(kind=kind))
    run = CodeRun.objects.get()
    assert (run.shown_case, run.call) == ((None, "f(1)") if kind == "xray" else (1, ""))
    assert run.looks_into == exercise.current
    again = client.get(f"{PAGE}?from=run-{run.pk}").content.decode()
    assert 'value="f(1)"' in again


@pytest.mark.parametrize(
    ("changed", "status", "words"),
    [
        ({"kind": "xray-2"}, 409, "no such case"),
        ({"kind": "xray-999999"}, 400, "Choose Run, X-ray"),
        ({"kind": "xray--1"}, 400, "Choose Run, X-ray"),
        ({"call": " "}, 409, "Type a call"),
    ],
)
def test_xray_of_nothing_is_refused(
    client: Client, exercise: Exercise, changed: dict[str, str], status: int, words: str
) -> None:
    answer = client.post(PAGE, form(**changed), **HTMX)
    assert (answer.status_code, Submission.objects.count()) == (status, 0)
    assert words in answer.content.decode()


def test_xray_is_read_by_its_learner_alone(client: Client, exercise: Exercise) -> None:
    cohort = factories.create_class()
    member = factories.create_member(cohort, "bea")
    teacher = factories.create_member(cohort, "tea", role="instructor")
    row = send(factories.browser_of(member.user))
    for other in (client, factories.browser_of(teacher.user)):
        for address in (page_of(row), f"{PAGE}runs/{row.pk}/", f"{PAGE}submissions/{row.pk}/"):
            assert other.get(address).status_code == 404
    assert factories.browser_of(member.user).get(f"{PAGE}runs/{row.pk}/").status_code == 404


@pytest.mark.parametrize("at", ["sending", "reading"])
def test_withheld_solution_has_no_green_line(
    client: Client, exercise: Exercise, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    module = rows if at == "sending" else views
    monkeypatch.setattr(module, "may_compare", lambda **_: False)
    row = send(client, kind="xray-1")
    assert CodeRun.objects.get().compares is (at == "reading")
    if at == "reading":
        text = client.get(page_of(row), **HTMX).content.decode()
        assert GREEN not in text
        assert '"known": true' not in text
        assert KNOWN.text in text


def test_place_is_named_once_and_marked(client: Client, exercise: Exercise) -> None:
    """In words, for the editor's gutter, and for a page without scripts."""
    row = send(client, PLACED)
    fragment = client.get(page_of(row), **HTMX).content.decode()
    page = client.get(page_of(row)).content.decode()
    for text in (fragment, page):
        assert "also occurs in a right solution." in text
        assert FIRST in text
        assert "Nothing else is judged." not in text
    assert '"span": [1, 0, 1, 7]' in fragment
    assert "Jump to line 1" in " ".join(fragment.split())
    assert FIRST not in client.get(page_of(send_again(client)), **HTMX).content.decode()


def send_again(client: Client) -> Submission:
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    return send(client)


def test_withheld_solution_has_no_place(
    client: Client, exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one from before the solution was withheld."""
    row = send(client, PLACED)
    monkeypatch.setattr(views, "may_compare", lambda **_: False)
    for extra in ({}, HTMX):
        text = client.get(page_of(row), **extra).content.decode()
        assert KNOWN.text in text
        assert FIRST not in text
        assert '"span": [' not in text
        assert "8.25" not in text


@pytest.mark.parametrize("kind", ["check", "submit"])
def test_reference_stands_beside_after_a_graded_try(
    client: Client, exercise: Exercise, kind: str
) -> None:
    """As on a figure: else its numbers would be there before any own thought."""
    row = send(client, PLACED)
    for extra in ({}, HTMX):
        text = client.get(page_of(row), **extra).content.decode()
        assert FIRST in text
        assert "8.25" not in text
    Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
    assert client.post(PAGE, form(kind=kind)).status_code == 302
    leases.record(lease=making.lease(), report=Report(Verdict.WRONG))
    for extra in ({}, HTMX):
        text = client.get(page_of(row), **extra).content.decode()
        assert "Reference: what it computes with the same value" in text
        assert "8.25" in text


def test_picture_before_a_try_tells_no_scale(client: Client, exercise: Exercise) -> None:
    """Both have one scale: yours alone would tell how large the reference's numbers are."""
    picture = ExpressionPicture(1, 2, "c2VjcmV0")
    yours = replace(HALF, picture=picture)
    row = send(client, replace(RESULT, first_difference=replace(PLACE, yours=yours)))
    assert FIRST in client.get(page_of(row), **HTMX).content.decode()
    assert picture.cells not in client.get(page_of(row), **HTMX).content.decode()


@pytest.fixture
def member() -> Membership:
    return factories.create_member(factories.create_class(), "bea")


@pytest.mark.parametrize("kind", ["xray", "xray-1"])
@pytest.mark.parametrize("reason", ["", "solved", "tries", "checks"])
def test_typed_call_compares_once_the_solution_opens(
    exercise: Exercise, member: Membership, kind: str, reason: str
) -> None:
    """A shown case always, as Checks show its results."""
    if reason == "solved":
        factories.create_submission(exercise, member, "correct")
    elif reason:
        for _ in range(ENOUGH_TRIES):
            kinds = {"kind": "check"} if reason == "checks" else {}
            ago = timezone.now() - factories.DAY
            factories.create_submission(exercise, member, "wrong", ago, **kinds)
    browser = factories.browser_of(member.user)
    assert browser.post(PAGE, form(kind=kind)).status_code == 302
    compares = kind == "xray-1" or reason in {"solved", "tries"}
    assert CodeRun.objects.get().compares is compares


@pytest.mark.parametrize("kind", ["xray", "xray-1"])
def test_open_assignment_hides_green_lines(
    exercise: Exercise, member: Membership, kind: str
) -> None:
    """Until it closes, also for a member whose exception closes it earlier."""
    now = timezone.now()
    ahead = {"due_at": now + factories.DAY, "closes_at": now + factories.DAY}
    work = factories.assign(member.cohort, exercise, **ahead)
    factories.create_submission(work, member, "correct", now)
    browser = factories.browser_of(member.user)
    browser.post(PAGE, form(kind=kind))
    assert not CodeRun.objects.get().compares
    early = {"due_at": now, "closes_at": now, "earlier_on_purpose": True}
    set_exceptions(assignment=work, members=[member], values=early, by=None)
    Submission.objects.filter(kind="run").delete()  # or else the next comes too soon
    browser.post(PAGE, form(kind=kind))
    assert CodeRun.objects.get().compares


def test_assignment_that_opens_later_hides_green_lines(
    exercise: Exercise, member: Membership
) -> None:
    """Between sending and reading: what was compared is not shown, and comes back after it."""
    factories.create_submission(exercise, member, "correct")
    browser = factories.browser_of(member.user)
    row = send(browser)
    assert GREEN in browser.get(page_of(row)).content.decode()
    now = timezone.now()
    ahead = {"due_at": now + factories.DAY, "closes_at": now + factories.DAY}
    work = factories.assign(member.cohort, exercise, **ahead)
    for extra in ({}, HTMX):
        text = browser.get(page_of(row), **extra).content.decode()
        assert GREEN not in text
        assert '"known": true' not in text
        assert KNOWN.text in text
    early = {"due_at": now, "closes_at": now, "earlier_on_purpose": True}
    set_exceptions(assignment=work, members=[member], values=early, by=None)
    assert GREEN in browser.get(page_of(row)).content.decode()


def test_case_with_more_calls_says_so(client: Client, exercise: Exercise) -> None:
    row = send(client, replace(RESULT, tests_more=True))
    assert "more than one plain call" in client.get(page_of(row)).content.decode()


def test_texts_of_a_program_are_escaped(client: Client, exercise: Exercise) -> None:
    evil = Expression([(1, 0, 1, 1)], EVIL, 1, "", EVIL, EVIL, EVIL)
    row = send(client, XRay(EVIL, (evil,), EVIL, EVIL, 1, EVIL, EVIL))
    for extra in ({}, HTMX):
        assert EVIL not in client.get(page_of(row), **extra).content.decode()


def test_newest_xrays_alone_are_kept(
    client: Client, exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one learner, and of all visitors together; the page of an older one says so."""
    sent = []

    def send_next(browser: Client) -> None:
        Submission.objects.update(submitted_at=timezone.now() - timedelta(seconds=5))
        sent.append(send(browser))

    for _ in range(batch_pictures.MOST_OF_ONE + 1):
        send_next(client)
    have = CodeRun.objects.filter(outcome__isnull=False).values_list("pk", flat=True)
    assert sorted(have) == [row.pk for row in sent[1:]]
    gone = client.get(page_of(sent[0])).content.decode()
    assert "deleted because newer ones came" in gone
    assert "our fault" not in gone
    monkeypatch.setattr(batch_pictures, "MOST_OF_VISITORS", 2)
    send_next(Client())
    assert sorted(have.all()) == [row.pk for row in sent[-2:]]


def test_damaged_xray_is_our_fault(client: Client, exercise: Exercise) -> None:
    row = send(client)
    CodeRun.objects.update(outcome={"expressions": [1]})
    assert "our fault" in client.get(page_of(row)).content.decode()


@pytest.mark.parametrize(
    ("shown", "passed", "case"),
    [
        ([True, True], [True, False], 1),
        ([False, True, True], [False, True, False], 1),
        ([True, False, True], [False, False, False], 0),
        ([True, False], [True, False], None),
        ([], [], None),
    ],
)
def test_first_failing_case_counts_shown_ones(
    shown: list[bool], passed: list[bool], case: int | None
) -> None:
    cases = tuple(CaseResult("a", *facts) for facts in zip(shown, passed, strict=True))
    report = Report(Verdict.WRONG, cases=cases, cases_passed=0, cases_total=len(cases))
    assert page_context.first_failing_shown(report) == case


@pytest.mark.parametrize(("failed", "case"), [("b", 1), ("hidden", 0), (None, 0)])
def test_xray_is_of_first_failed_check(failed: str | None, case: int) -> None:
    """Which is of a stage before that of another shown case's failure."""
    cases = tuple(CaseResult(label, label != "hidden", False) for label in ("a", "b", "hidden"))
    fault = ReportedFinding(Stage.FINITE, failed, "NaN")
    report = Report(Verdict.WRONG, cases=cases, cases_passed=0, cases_total=3, first_fault=fault)
    assert page_context.first_failing_shown(report) == case


def test_replaced_version_offers_no_xray(client: Client, exercise: Exercise) -> None:
    """Its cases have other numbers."""
    case = CaseResult("a", True, False)
    report = Report(Verdict.WRONG, cases=(case,), cases_passed=0, cases_total=1)
    client.post(PAGE, form(kind="check"))
    leases.record(lease=making.lease(), report=report)
    address = f"{PAGE}submissions/{Submission.objects.get().pk}/"
    assert "X-ray of shown case 1" in client.get(address).content.decode()
    old = exercise.current
    version = ExerciseVersion.objects.create(
        exercise=exercise, number=2, content_hash="y" * 64, title="New", files=old.files, outline={}
    )
    Exercise.objects.update(current=version)
    assert "X-ray of shown case" not in client.get(address).content.decode()


def test_check_that_passes_says_what_it_checked(client: Client, exercise: Exercise) -> None:
    """Not that the code is right: hidden cases may fail."""
    cases = (CaseResult("a", True, True), CaseResult("b", True, True))
    report = Report(Verdict.CORRECT, cases=cases, cases_passed=2, cases_total=2)
    client.post(PAGE, form(kind="check"))
    leases.record(lease=making.lease(), report=report)
    address = f"{PAGE}submissions/{Submission.objects.get().pk}/"
    for page in (client.get(address), client.get(f"{address}verdict/", **HTMX)):
        text = " ".join(page.content.decode().split())
        assert "All 2 shown cases pass" in text
        assert "Submit tries 3 more, which are hidden." in text
        assert "Correct" not in text


def test_check_without_shown_cases_counts_none(client: Client, exercise: Exercise) -> None:
    """And a single hidden case is one."""
    ExerciseVersion.objects.update(outline={"shown": [], "hidden": 1})
    client.post(PAGE, form(kind="check"))
    leases.record(lease=making.lease(), report=Report(Verdict.CORRECT))
    text = client.get(f"{PAGE}submissions/{Submission.objects.get().pk}/").content.decode()
    assert "shown cases pass" not in text
    assert "Submit tries 1 more, which is hidden." in " ".join(text.split())


def test_failed_check_leads_to_its_case(client: Client, exercise: Exercise) -> None:
    """By a button in the editor's page, and on the page of the Check by a form."""
    cases = [
        CaseResult("a", True, True),
        CaseResult("b", True, False),
        CaseResult("c", False, False),
    ]
    report = Report(Verdict.WRONG, cases=tuple(cases), cases_passed=1, cases_total=3)
    client.post(PAGE, form(kind="check"))
    leases.record(lease=making.lease(), report=report)
    row = Submission.objects.get()
    page = client.get(f"{PAGE}submissions/{row.pk}/").content.decode()
    fragment = client.get(f"{PAGE}submissions/{row.pk}/verdict/", **HTMX).content.decode()
    for text in (page, fragment):
        assert "X-ray of shown case 2" in text
        assert 'value="xray-1"' in text
    assert 'form="code-form"' in fragment
    assert "<form" in page.partition("X-ray of shown")[0].rpartition("<textarea")[0][-300:]
