"""A report in the shape that common autograders write and read: score, tests, output.

One object: `score` of `max_score` 1 (solved or not), `tests` with name, status, message, output and
images. A hidden case that passed has a name only, as on the page. Documented in
docs/operations-grading.md.
"""

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from quizzes.exercises.failure_picture import draw_layer, layers_of
from quizzes.grader.api import Verdict
from quizzes.grader.judge import CaseResult, Report

SCHEMA = 1


def autograder_report(
    report: Report, *, exercise: str, arrays: bytes | None, **facts: Any
) -> dict[str, Any]:
    """Return the object; `arrays`: the stored picture; `facts`: what else names the submission."""
    tests = list(_tests(report))
    fault = report.first_fault
    case = report.found_in or (fault.case if fault else None)
    pictured = next((test for test in tests if fault and test["name"] == case), None)
    if pictured is not None and arrays:
        pictured["images"] = list(_images(arrays))
    return {
        "schema": SCHEMA,
        "exercise": exercise,
        **facts,
        "score": 1.0 if report.verdict.solves else 0.0,
        "max_score": 1.0,
        "graded": report.verdict is not Verdict.NOT_GRADED,
        "verdict": report.verdict.value,
        "message": report.verdict.label,
        "known_mistake": report.known_mistake.slug if report.known_mistake else None,
        "output": _output(report),
        "stdout": report.stdout,
        "execution_time": round(report.seconds, 6),
        "cases_passed": report.cases_passed,
        "cases_total": report.cases_total,
        "tests": tests,
    }


def _tests(report: Report) -> Iterator[dict[str, Any]]:
    failing = report.smallest_failing
    if failing is not None and report.shrunk:
        yield _test(f"smallest failing input: {failing.call}", failing)
    for case in report.cases:
        yield _test(case.label, case)
    if not report.cases and report.first_fault is not None:
        fault = report.first_fault
        yield _entry(
            fault.stage.label, passed=False, message=fault.message, output=report.traceback
        )
    for item in report.properties:
        yield _entry(f"{item.title} ({item.case})", passed=item.holds, message=item.measured)


def _test(name: str, case: CaseResult) -> dict[str, Any]:
    parts = (
        f"called before: {case.before}" if case.before else "",
        case.call,
        f"expected:\n{case.expected_text}" if case.expected_text else "",
        f"got:\n{case.got_text}" if case.got_text else "",
        case.tolerance_text,
    )
    output = "\n".join(part for part in parts if part)
    entry = _entry(name, passed=case.passed, message=case.message, output=output)
    return entry | {"visibility": "visible" if case.shown else "hidden"}


def _entry(name: str, *, passed: bool, message: str, output: str = "") -> dict[str, Any]:
    return {
        "name": name,
        "status": "passed" if passed else "failed",
        "message": message,
        "output": output,
        "images": [],
        "visibility": "visible",
    }


def _output(report: Report) -> str:
    """Return the first thing that a person reads: the mistake's sentence, or the first fault."""
    parts = []
    for mistake in (report.known_mistake, report.second_mistake):
        if mistake:
            parts += [mistake.sentence, f"Asked for: {mistake.breaks}"]
    if report.first_fault:
        parts.append(f"{report.first_fault.stage.label}: {report.first_fault.message}")
    if report.speed:
        parts.append(report.speed.sentence)
    return "\n".join([*parts, report.traceback] if report.traceback else parts)


def _images(arrays: bytes) -> Iterator[dict[str, str]]:
    for layer in layers_of(arrays):
        svg = draw_layer(arrays, layer=layer.name, scheme="light").svg
        source = "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
        yield {"name": layer.name, "caption": layer.caption, "alt": layer.alt, "src": source}
