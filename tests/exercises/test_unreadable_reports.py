"""One bad stored report takes nothing with it: no page, no list, no export, on either database.

The rule: whatever stands in a row, every address of the site answers as it does for a sound one.
Which addresses show submissions, nobody says here; the addresses are those that the site has.
"""

import ast
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from quizzes.exercises import stored_reports
from quizzes.exercises.models import CasePicture, PreviousVerdict, Submission
from quizzes.exercises.page_context import UNREADABLE
from quizzes.exercises.queue import leases
from quizzes.exercises.services import grade_again
from quizzes.grader.judge.report import (
    CaseResult,
    KnownMistake,
    Report,
    ReportedFinding,
    Stage,
    Verdict,
)
from quizzes.learners.models import User
from quizzes.study.data_erasure import erase
from tests.courses import at
from tests.databases import on_postgresql
from tests.exercises import making
from tests.exercises.asking import graded, with_everything
from tests.factories import create_browser, create_class, create_member

pytestmark = pytest.mark.django_db

SOUND = with_everything().as_json()
CLASS = "autumn"
NOT_KEPT = {"surrogate", "NUL", "surrogate in a name"}  # by PostgreSQL, which refuses to store them


def _with(**changes: Any) -> str:
    return json.dumps({**SOUND, **changes})


def _in_fault(message: str) -> str:
    return _with(first_fault={"rung": "shape", "case": None, "message": message})


POISONS: dict[str, str] = {
    "null": "null",
    "a list": "[]",
    "a number": "3",
    "a word": '"report"',
    "nothing in it": "{}",
    "another schema": _with(schema=99),
    "schema of a list": _with(schema=[]),
    "surrogate": _in_fault("\ud800"),
    "surrogate in a name": json.dumps({**SOUND, "\ud800": 1}),
    "NUL": _in_fault("a\0b"),
    "escapes": _in_fault("\x1b[31m\u202e"),
    "unknown verdict": _with(verdict="splendid"),
    "verdict of a list": _with(verdict=[]),
    "unknown rung": _with(first_fault={"rung": "none", "case": None, "message": ""}),
    "rung of a list": _with(first_fault={"rung": [], "case": None, "message": ""}),
    "fault without a message": _with(first_fault={"rung": "shape", "case": None}),
    "fault of text": _with(first_fault="shape"),
    "mistake without a step": _with(known_mistake={"slug": "swap"}),
    "mistake of a strange step": _with(
        known_mistake={**SOUND["known_mistake"], "step": "../x y/\u20ac"}
    ),
    "mistake of a list": _with(known_mistake=[1]),
    "more fields": _with(more=1, known_mistake={**SOUND["known_mistake"], "more": 1}),
    "cases of text": _with(cases="abc"),
    "cases of numbers": _with(cases=[1, 2]),
    "cases of null": _with(cases=None),
    "a label of a mapping": _with(cases=[{**SOUND["cases"][0], "label": {}}]),
    "a worst index of text": _with(cases=[{**SOUND["cases"][0], "worst_index": "ab"}]),
    "counts of text": _with(cases_passed="one", cases_total=None),
    "seconds of text": _with(seconds="long"),
    "seconds beyond any": _with(seconds=1).replace('"seconds": 1', '"seconds": 1e999'),
    "no time at all": _with(
        speed={"call": "f", "seconds": 0, "reference_seconds": 0, "ratio": 0, "sentence": ""}
    ),
    "speed of words": _with(speed={"call": "f", "seconds": "x"}),
    "properties of numbers": _with(properties=[1]),
    "second mistake of a strange step": _with(
        second_mistake={**SOUND["known_mistake"], "step": "../x"}
    ),
    "second mistake of text": _with(second_mistake="swap"),
    "found in a list": _with(found_in=["odd d"]),
    "headline of a list": _with(headline=["Correct"]),
    "headline of null": _with(headline=None),
    "a blank headline": _with(headline="  "),
    "a long headline": _with(headline="x" * 300_000),
    "a long text": _with(stdout="x" * 300_000),
    "many digits": _with(seconds=1).replace('"seconds": 1', f'"seconds": {"9" * 5_000}'),
    "nested": "[" * 900 + "]" * 900,
    "without cases": json.dumps({key: part for key, part in SOUND.items() if key != "cases"}),
}


def patterns(
    resolver: Any = None, space: str = "", above: frozenset[str] = frozenset()
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the name of every address of the site, with the names of its arguments."""
    for one in (resolver or get_resolver()).url_patterns:
        arguments = above | frozenset(one.pattern.regex.groupindex)
        if isinstance(one, URLResolver):
            yield from patterns(
                one, f"{space}{one.namespace}:" if one.namespace else space, arguments
            )
        elif isinstance(one, URLPattern) and one.name:
            yield f"{space}{one.name}", arguments


def addresses(**facts: Any) -> dict[str, str]:
    """Return the addresses whose arguments are these, by name; the administration has its own."""
    found = {}
    for name, arguments in patterns():
        if arguments == facts.keys() and not name.startswith("admin:"):
            try:
                found[name] = reverse(name, kwargs=facts)
            except NoReverseMatch:
                continue
    return found


def of_row(row: Submission) -> dict[str, str]:
    """Return the addresses that name a row by its number."""
    exercise = row.exercise_version.exercise
    named = {"course": exercise.course.slug, "slug": exercise.slug, "number": row.pk}
    return {
        **addresses(number=row.pk),
        **addresses(course=exercise.course.slug, number=row.pk),
        **addresses(**named),
        **addresses(**named, layer="yours"),
        **addresses(cohort=CLASS, number=row.pk),
    }


def of_the_site(row: Submission) -> dict[str, str]:
    """Return the addresses that name no row: lists, exports, a person's and an exercise's pages."""
    plain = {name: path for name, path in addresses().items() if "logout" not in name}
    exercise = row.exercise_version.exercise
    return {
        **plain,
        **addresses(course=exercise.course.slug),
        **addresses(course=exercise.course.slug, slug=exercise.slug),
        **addresses(number=row.learner_id),
        **addresses(cohort=CLASS),
    }


@pytest.fixture
def learner(exercise: Any) -> Client:
    return Client()


@pytest.fixture
def row(learner: Client) -> Submission:
    """A graded submission that was graded anew once."""
    made = graded(with_everything(), client=learner)
    _note_earlier(made)
    return made


def teacher_of(row: Submission) -> Client:
    """Return a browser of an editor of the course who teaches a class that the learner is in."""
    browser = create_browser("teacher", role="editor")
    cohort = create_class(CLASS, course=row.exercise_version.exercise.course)
    row.learner.user = User.objects.create_user("student")
    row.learner.save()
    for name, role in (("student", "student"), ("teacher", "instructor")):
        create_member(cohort, name, role=role, joined_at=row.submitted_at)
    return browser


def _note_earlier(row: Submission) -> None:
    PreviousVerdict.objects.create(
        submission=row,
        exercise_version=row.exercise_version,
        verdict="wrong",
        report=SOUND,
        graded_at=row.graded_at,
    )


def another(row: Submission) -> Submission:
    """Return a second row that says the same of the same code."""
    same = Submission.objects.get(pk=row.pk)
    same.pk, same.key, same._state.adding = None, uuid4(), True
    same.save()
    CasePicture.objects.create(submission=same, arrays=row.picture.arrays)
    _note_earlier(same)
    return same


def store(row: Submission, text: str) -> None:
    """Write JSON text as it is, past everything that would look at it."""
    kind = "%s::jsonb" if connection.vendor == "postgresql" else "%s"
    with connection.cursor() as cursor:
        for model, key in ((Submission, "id"), (PreviousVerdict, "submission_id")):
            table = model._meta.db_table
            cursor.execute(f"UPDATE {table} SET report = {kind} WHERE {key} = %s", [text, row.pk])


def kept() -> dict[str, str]:
    """Return the poisons that this kind of database keeps."""
    return {
        name: text for name, text in POISONS.items() if not (on_postgresql() and name in NOT_KEPT)
    }


def statuses(paths: dict[str, str], browser: Client) -> dict[str, int]:
    """Return the status of each address; what an answer streams is read to its end."""
    found = {}
    for name, path in paths.items():
        answer = browser.get(path)
        answer.getvalue()
        found[name] = answer.status_code
    return found


def sound_pages(row: Submission, browser: Client) -> dict[str, int]:
    """Return the pages of one row that are shown, each with its status.

    A submission's number may be that of something else too; what shows it, shows three such rows.
    """
    twins = [statuses(of_row(another(row)), browser) for _ in range(3)]
    alike = [item for item in twins[0].items() if all(item in one.items() for one in twins)]
    return {name: status for name, status in alike if status == 200}


@pytest.mark.slow
@pytest.mark.parametrize(
    "teaches", [False, pytest.param(True, marks=[pytest.mark.soak, pytest.mark.both_databases])]
)
def test_every_address_answers_as_with_a_sound_report(
    teaches: bool, row: Submission, learner: Client
) -> None:
    browser = teacher_of(row) if teaches else learner
    sound = sound_pages(row, browser)  # with enough graded rows for a right solution to be shown
    of_all = statuses(of_the_site(row), browser)
    shown = {name for name, status in (of_all | sound).items() if status == 200}
    of_classes = {"submission", "submissions", "results", "marks", "submissions-zip"}
    expected = {f"teaching:class-{name}" for name in of_classes} | {"teaching:class"}
    expected = expected if teaches else {"study:export", "exercises:submission"}
    assert shown >= expected | {"exercises:exercise", "study:progress"}
    rows = {name: another(row) for name in kept()}
    for name, poisoned in rows.items():
        store(poisoned, POISONS[name])
    assert statuses(of_the_site(row), browser) == of_all
    # Lists have shown them all; of the pages of one row each has every twelfth, by turns.
    for number, (name, poisoned) in enumerate(rows.items()):
        paths = of_row(poisoned)
        here = dict([*sound.items()][number % 12 :: 12])
        assert statuses({key: paths[key] for key in here}, browser) == here, name


@pytest.mark.soak
@pytest.mark.both_databases
@pytest.mark.parametrize("teaches", [False, True])
def test_every_page_of_a_row_answers_whatever_its_report(
    teaches: bool, row: Submission, learner: Client
) -> None:
    browser = teacher_of(row) if teaches else learner
    sound = sound_pages(row, browser)
    for name in kept():
        poisoned = another(row)
        store(poisoned, POISONS[name])
        paths = of_row(poisoned)
        assert statuses({key: paths[key] for key in sound}, browser) == sound, name


@pytest.mark.both_databases
@pytest.mark.parametrize("name", sorted(NOT_KEPT))
def test_what_postgresql_does_not_keep_it_refuses(name: str, row: Submission) -> None:
    if on_postgresql():
        with pytest.raises(DatabaseError), transaction.atomic():
            store(row, POISONS[name])
    else:
        store(row, POISONS[name])
        assert Submission.objects.get(pk=row.pk).verdict_report is not None


def test_a_page_says_so_of_this_one_and_shows_the_rest(
    row: Submission, learner: Client, caplog: pytest.LogCaptureFixture
) -> None:
    stored_reports._log_once.cache_clear()
    store(row, POISONS["cases of text"])
    with caplog.at_level(logging.WARNING, "quizzes.exercises.stored_reports"):
        for _ in range(3):
            text = learner.get(row.get_absolute_url()).content.decode()
    assert "cannot be shown" in text
    assert "Not yet: a known mistake" in text
    assert "sent again" in text or "Graded again" in text
    assert [one.getMessage() for one in caplog.records].count(
        f"the report of submission {row.pk} cannot be read: cases: expected a list of at most"
        " 2000 items"
    ) == 1
    told = learner.get(f"{row.get_absolute_url()}report.json").json()
    assert (told["verdict"], told["output"]) == ("known_mistake", UNREADABLE)
    ledger = learner.get(at("/progress/")).content.decode()
    assert f"submission {row.pk} can be graded again" in ledger


@pytest.mark.both_databases
def test_an_export_has_each_row_with_what_can_be_had(row: Submission, learner: Client) -> None:
    rows = {name: another(row) for name in kept()}
    for name, poisoned in rows.items():
        store(poisoned, POISONS[name])
    told = json.loads(learner.get(reverse("study:export")).content.decode())
    found = {one["id"]: one for one in told["submissions"]}
    for poisoned in rows.values():
        mine = found[poisoned.pk]
        assert (mine["verdict"], mine["code"]) == ("known_mistake", "x = 1")
        assert "report" in mine


@pytest.mark.slow
def test_each_can_be_graded_anew_and_deleted(row: Submission) -> None:
    for name, text in kept().items():
        poisoned = another(row)
        store(poisoned, text)
        assert grade_again(submission=poisoned), name
        assert Submission.objects.get(pk=poisoned.pk).report is None
        leases.record(lease=making.lease(), report=making.WRONG)
        store(poisoned, text)
    erase(learner=row.learner, user=None)
    assert all(one.verdict_report for one in Submission.objects.all())


@pytest.mark.parametrize("data", [b"", b"not a frame", bytes(200)])
def test_a_picture_that_cannot_be_read_is_left_out(
    data: bytes, row: Submission, learner: Client
) -> None:
    sound = statuses(of_row(row), learner)
    CasePicture.objects.filter(submission=row).update(arrays=data)
    assert statuses(of_row(row), learner) == sound | {"exercises:picture": 404}


@pytest.mark.both_databases
@pytest.mark.parametrize("text", ["\ud800", "a\0b", "\x1b[31mred", "a\u202eb", "\udfff" * 500])
def test_no_text_of_a_report_harms_a_database(text: str, exercise: Any) -> None:
    """Whatever the judge gives, in every place of a report that holds text."""
    case = CaseResult(text, True, False, text, text, text, text, tolerance_text=text)
    report = Report(
        Verdict.KNOWN_MISTAKE,
        first_fault=ReportedFinding(Stage.DTYPE, text, text),
        known_mistake=KnownMistake("swap", text, text, None, text),
        smallest_failing=case,
        cases=(case,),
        stdout=text,
        traceback=text,
        limit=text,
    )
    browser = Client()
    made = graded(report, client=browser)
    stored = json.dumps(made.report, ensure_ascii=False)
    assert stored.encode()
    assert "\\u0000" not in stored
    assert "\u202e" not in stored
    assert browser.get(made.get_absolute_url()).status_code == 200


ROOMS = Path(__file__).parents[2] / "quizzes"
# Where a row's stored report is taken as it is: the model, and the copies that grading anew keeps.
MAY = {
    "exercises/models/submission.py",
    *(f"regrades/{name}.py" for name in ("apply", "followers", "undo")),
}
# Other reports: what a worker found for an author, whose code the judge did not grade.
MAY |= {"exercises/proofs/draft_proofs.py", "assessment/drawing/draws.py"}
MAY |= {"teaching/question/numbers.py", "teaching/question/question_page.py"}
MAY |= {"teaching/exercise/page.py"}


def _raw_uses(path: Path) -> list[int]:
    """Return the lines that take `.report` of something, or ask the database for the column."""
    lines = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and node.attr == "report":
            lines.append(node.lineno)
        asks = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if asks and node.func.attr in {"values", "values_list", "F"}:
            words = [one.value for one in node.args if isinstance(one, ast.Constant)]
            lines += [node.lineno] * any("report" in str(word).split("__") for word in words)
    return lines


@pytest.mark.slow
def test_one_place_reads_stored_reports() -> None:
    found = {
        path.relative_to(ROOMS).as_posix(): lines
        for path in ROOMS.rglob("*.py")
        if not {"grader", "content", "migrations"} & set(path.relative_to(ROOMS).parts)
        and (lines := _raw_uses(path))
    }
    views = {"exercises/urls.py"}  # names the view `report`
    assert set(found) - views == MAY
