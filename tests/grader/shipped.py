"""The shipped exercises, and what tests of each of them look at."""

from quizzes.grader.definitions.definition import ExerciseDefinition
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.job import Sandbox
from tests.grader.conftest import ROOT
from tests.shipped_exercises.folders import definition_of

COURSE = ROOT / "quizzes/content/positional-encodings"


def definition(slug: str) -> ExerciseDefinition:
    """One exercise of the shipped courses."""
    return definition_of(slug)


def variants(slug: str) -> list[str]:
    """The slugs of its known-wrong variants."""
    return sorted(path.stem for path in (COURSE / "exercises" / slug / "wrong").glob("*.py"))


def named(report: Report) -> str | None:
    """The slug of the known mistake, if one was named."""
    return report.known_mistake.slug if report.known_mistake else None


def assert_correct(pack: CasePack, code: str, sandbox: Sandbox) -> Report:
    """Every case passes, every property holds, nobody is accused."""
    report = grade_code(pack, code, sandbox)
    assert report.first_fault is None, report.first_fault
    assert report.verdict is Verdict.CORRECT
    assert named(report) is None
    assert report.cases_passed == report.cases_total
    assert all(item.holds for item in report.properties)
    return report


def assert_named(pack: CasePack, slug: str, sandbox: Sandbox) -> Report:
    """A variant is told by its own name, with the verdict of its kind."""
    wrong = definition(pack.slug).wrong[slug]
    report = grade_code(pack, wrong.source, sandbox)
    assert named(report) == slug
    convention = wrong.kind == "convention"
    expected = Verdict.CORRECT_OTHER_CONVENTION if convention else Verdict.KNOWN_MISTAKE
    assert report.verdict is expected
    assert report.first_fault is not None
    assert report.smallest_failing is not None
    assert_of_one_input(report)
    assert report.cases_passed < report.cases_total
    return report


def assert_steps_exist(slug: str) -> None:
    """Every lesson step that is named is there."""
    exercise = definition(slug)
    for step in (exercise.step, *(wrong.step for wrong in exercise.wrong.values())):
        assert step is not None
        lesson, name = step.split("/")
        assert list((COURSE / "lessons" / lesson / "steps").glob(f"[0-9][0-9]-{name}.md")), step


def assert_of_one_input(report: Report) -> None:
    """What is said first is of the input that is shown under it."""
    fault, failing = report.first_fault, report.smallest_failing
    if fault is not None and failing is not None:
        assert fault.case == failing.label
        assert fault.stage is failing.stage
        assert fault.message.startswith(failing.message)
        assert (report.found_in != "") == report.shrunk
