"""How tests ask the pages: post code, record a report, be somebody, say that a worker lives."""

from dataclasses import replace
from uuid import uuid4

import numpy as np
from django.test import Client
from django.utils import timezone

from quizzes.exercises.models import Submission, WorkerHeartbeat
from quizzes.exercises.queue import leases
from quizzes.grader.judge.picture import crop_around_worst
from quizzes.grader.judge.report import (
    CaseResult,
    KnownMistake,
    Report,
    ReportedFinding,
    Stage,
    Verdict,
)
from tests.courses import at
from tests.exercises import making

PAGE = at("/exercises/sinusoidal-table/")
HTMX = {"HTTP_HX_REQUEST": "true"}


def post(client, *, code="x = 1", kind="submit", **extra):
    key = extra.pop("key", uuid4())
    return client.post(PAGE, {"code": code, "kind": kind, "key": key}, **extra)


def graded(report, *, kind="submit", client=None) -> Submission:
    """Submit by the page and record this report."""
    post(client or Client(), kind=kind)
    leases.record(lease=making.lease(), report=report)
    return Submission.objects.order_by("-pk").first()


def beat():
    now = timezone.now()
    WorkerHeartbeat.objects.create(
        host="h", pid=1, seen_at=now, self_test_at=now, self_test_ok=True
    )


def pages_of(row):
    base = f"{PAGE}submissions/{row.pk}/"
    return [base, f"{base}verdict/", f"{base}yours.svg"]


def with_everything() -> Report:
    """A report with every part a page can show, all of it hostile."""
    evil = "<script>alert(1)</script>"
    failing = CaseResult(
        label=evil,
        shown=True,
        passed=False,
        message=evil,
        call=f"f({evil!r})",
        expected_text=evil,
        got_text=evil,
        max_error=1.0,
        worst_index=(0, 1),
        tolerance_text=evil,
    )
    reference = np.arange(12.0).reshape(3, 4)
    return replace(
        making.WRONG,
        verdict=Verdict.KNOWN_MISTAKE,
        first_fault=ReportedFinding(Stage.SHAPE, evil, evil),
        known_mistake=KnownMistake("swap", "mistake", evil, "sinusoidal-values/code-it", evil),
        second_mistake=KnownMistake("late", "mistake", evil, "rope/code-it", evil),
        smallest_failing=failing,
        cases=(failing, CaseResult(label="fine", shown=False, passed=True)),
        cases_passed=1,
        cases_total=2,
        stdout=evil,
        traceback=evil,
        picture=crop_around_worst(reference, reference + np.eye(3, 4)),
        headline=evil,
    )
