"""Seven students make a mistake without a name: it is named, proved, published, graded again."""

import re
import subprocess
from contextlib import nullcontext
from html import unescape

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import CourseStaff
from quizzes.exercises import publishing
from quizzes.exercises.case_pack_pool import read_pack
from quizzes.exercises.files import read_exercise, save_exercise
from quizzes.exercises.models import CodeRegrade, Exercise, MistakeDraft, Submission
from quizzes.exercises.naming.drafts import begin_draft, files_with
from quizzes.exercises.naming.variant_file import VariantFields
from quizzes.grader.api import DefinitionError
from quizzes.grader.definitions import read_definition, verify
from quizzes.learners.models import User
from quizzes.worker import background
from quizzes.worker.mistake_proofs import OUTDATED, prove_next
from quizzes.worker.pool_keeper import AuthorSandboxes
from quizzes.worker.worker import Worker
from tests.courses import SLUG, some_course
from tests.exercises import making
from tests.factories import browser_of, create_class, create_lesson, create_member
from tests.shared_sandboxes import open_shared

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.slow]

WEEK = "/teach/classes/autumn/"
FOLDER = settings.COURSE.parents[1] / "authoring/skeleton/exercises/moving-average"
REFERENCE = (FOLDER / "reference.py").read_text()
UNNAMED = REFERENCE.replace("/ width,", "/ (width + 1),")
NAME = "divide_by_width_one"
FIELDS = {
    "does": "You divide by width and one.",
    "should": "The sum should be divided by width.",
    "breaks": "2",
    "step": "basics/code-it",
    "kind": "mistake",
    "confirmed": "on",
}


@pytest.fixture(autouse=True)
def _forget_packs():
    read_pack.cache_clear()
    yield
    read_pack.cache_clear()


@pytest.fixture
def cohort(db):
    return create_class()


@pytest.fixture
def editor(cohort):
    """An instructor of the class who may also write in the course."""
    member = create_member(cohort, "ida", role="instructor")
    CourseStaff.objects.create(course=some_course(), user=member.user, role="editor")
    return browser_of(member.user)


@pytest.fixture
def exercise(db):
    """A small exercise, verified as a worker does it."""
    create_lesson("basics", ["the-mean", "code-it"])
    source = read_exercise(DiskFiles(FOLDER.parent.parent), FOLDER.name, [])
    save_exercise(some_course(), source)
    assert verify_next().verification == "ok"
    return Exercise.objects.get()


@pytest.fixture
def group(cohort, exercise, sandbox):
    """Seven students, each with the same mistake in words of their own."""
    for number in range(7):
        student = create_member(cohort, f"student{number}")
        code = f"# student{number} wrote this\n{UNNAMED}".replace("np.", f"np_{number}.")
        code = code.replace("import numpy as np", f"import numpy as np_{number}")
        grade(sandbox, exercise, student.user.learner, code)
    return exercise


def grade(sandbox, exercise, learner, code, kind="submit"):
    exercise = Exercise.objects.select_related("current").get(pk=exercise.pk)
    row = making.waiting(exercise, learner, code=code, kind=kind, submitted_at=timezone.now())
    Worker().grade(making.lease(), sandbox)
    return Submission.objects.get(pk=row.pk)


def words_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def begin(editor):
    (row, *_) = Submission.objects.all()
    week = re.search(r'name="week" value="([^"]+)"', editor.get(WEEK).content.decode())[1]
    sent = {"week": week, "exercise": "moving-average", "fingerprint": row.fingerprint}
    answer = editor.post(f"{WEEK}week/name/", sent)
    assert answer.status_code == 302, words_of(answer)
    return answer["Location"]


def write(editor, address, **fields):
    draft = MistakeDraft.objects.get()
    code = re.sub(r'\A""".*?"""\n*', "", draft.text, flags=re.DOTALL)
    sent = {**FIELDS, "code": code, "mark": draft.mark, "do": "prove", **fields}
    return editor.post(address, sent)


def prove():
    with AuthorSandboxes(open_shared) as sandboxes:
        assert prove_next(sandboxes, lambda _: nullcontext())
    return MistakeDraft.objects.get()


def publish(editor, address):
    editor.post(address, {"do": "publish", "mark": MistakeDraft.objects.get().mark})
    return verify_next()


def verify_next():
    version = publishing.lease_unverified()
    with AuthorSandboxes(open_shared) as sandboxes:
        background.verify_version(version, sandboxes)
    version.refresh_from_db()
    return version


def test_group_without_name_gets_one(cohort, editor, group, sandbox, tmp_path):
    assert len(set(Submission.objects.values_list("fingerprint", flat=True))) == 1
    assert "No name yet: 7 students, 1 exercise" in words_of(editor.get(WEEK))
    address = begin(editor)
    assert "student" not in MistakeDraft.objects.get().text
    assert write(editor, address).status_code == 302
    assert "It is next." in words_of(editor.get(address))
    draft = prove()
    assert (draft.state, draft.problems, draft.names_group) == ("proved", [], True)
    version = publish(editor, address)
    assert (version.verification, version.number) == ("ok", 2)
    assert "Version 2 names this mistake." in words_of(editor.get(address))
    regrade_all(editor, sandbox)
    assert set(Submission.objects.values_list("known_mistake", "fingerprint")) == {(NAME, "")}
    page = words_of(editor.get(WEEK))
    assert "No name yet" not in page
    assert "You divide by width and one." in page
    eighth = create_member(cohort, "eighth").user.learner
    row = grade(sandbox, group, eighth, UNNAMED, kind="check")
    assert row.verdict_report.known_mistake.sentence.startswith("You divide by width and one.")
    applies_to_the_folder(editor, address, version, tmp_path)


def regrade_all(editor, sandbox):
    address = f"/teach/courses/{SLUG}/exercises/moving-average/regrade/?class=autumn"
    editor.post(address, {"class": "autumn", "do": "begin"})
    for _ in range(7):
        Worker()._serve_next(sandbox)
    regrade = CodeRegrade.objects.get()
    assert "7 submissions: You divide by width and one." in words_of(editor.get(address))
    editor.post(address, {"class": "autumn", "do": "apply", "number": regrade.pk, "note": ""})
    regrade.refresh_from_db()
    assert regrade.state == "applied"


def applies_to_the_folder(editor, address, version, tmp_path):
    """The patch gives the published files, which are proved there as well."""
    folder = tmp_path / "course" / "exercises" / "moving-average"
    for name, text in Exercise.objects.get().versions.get(number=1).files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    answer = editor.get(address.partition("?")[0] + "patch/")
    course = tmp_path / "course"
    subprocess.run(
        ["git", "apply", "-p1"], input=answer.content, cwd=course, check=True, timeout=20
    )
    written = {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert written == version.files
    call_command("verify_exercise", course, "moving-average")


def load(**texts):
    """Load the exercise with these files besides, None for one that is taken out."""
    exercise = Exercise.objects.select_related("current").get()
    files = {**exercise.current.files, **texts}
    files = {name: text for name, text in files.items() if text is not None}
    return publishing.add_version(
        exercise=exercise, definition=read_definition(exercise.slug, files), files=files
    )


def test_equal_files_name_a_group_at_once(cohort, editor, group):
    """What was verified before is not verified again; its pack says what the file names."""
    address = begin(editor)
    write(editor, address)
    prove()
    version = publish(editor, address)
    path = MistakeDraft.objects.get().path
    load(**{path: None, "starter.py": "LOADED = 1\n"})
    assert verify_next().verification == "ok"
    assert begin(editor) == address
    draft = MistakeDraft.objects.get()
    assert (draft.published, draft.names_group) == (None, False)
    load(**{path: draft.text, "starter.py": version.files["starter.py"]})
    draft = MistakeDraft.objects.select_related("published").get()
    assert (draft.published.verification, draft.names_group) == ("ok", True)
    assert "Version 4 names this mistake." in words_of(editor.get(address))


def test_version_verified_meanwhile_ends_a_proof(cohort, editor, group):
    address = begin(editor)
    write(editor, address)
    load(**{"starter.py": "LOADED = 1\n"})
    calls = []

    def verify_once():
        calls.append(1)
        if len(calls) == 1:
            verify_next()
        return len(calls) == 1

    with AuthorSandboxes(open_shared) as sandboxes:
        assert prove_next(sandboxes, lambda _: nullcontext(), verify_once)
    draft = MistakeDraft.objects.get()
    assert (draft.state, draft.problems, len(calls)) == ("refused", [OUTDATED], 1)
    assert "was verified while the proof ran" in words_of(editor.get(address))
    write(editor, address)
    assert prove().state == "proved"


HOPELESS = {
    "right": (REFERENCE, "was graded correct, expected known_mistake"),
    "a known mistake": (
        (FOLDER / "wrong/no_division.py").read_text().partition('"""\n\n')[2],
        "cannot be told apart: they give the same results on every identify case",
    ),
    "endless": ("def moving_average(x, width):\n    while True:\n        pass\n", ""),
    "raises": ("def moving_average(x, width):\n    raise ValueError\n", "was graded"),
}


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.soak] * (kind == "endless")) for kind in HOPELESS],
)
def test_code_that_cannot_be_named_is_refused(kind, editor, exercise):
    """In the words of the verification, which check_content prints as well."""
    code, words = HOPELESS[kind]
    draft = begin_draft(
        exercise=exercise,
        fingerprint="f" * 32,
        fields=VariantFields(),
        by=User.objects.get(username="ida"),
    )
    address = f"/teach/courses/{SLUG}/exercises/moving-average/mistakes/{draft.pk}/"
    assert write(editor, address, code=code).status_code == 302
    draft = prove()
    files = files_with(draft)
    with AuthorSandboxes(open_shared) as sandboxes:
        try:
            verified = verify(
                read_definition(exercise.slug, files), sandboxes.author, sandboxes.student
            )
            said = list(verified.problems)
        except DefinitionError as error:
            said = list(map(str, error.problems))
    assert draft.state == "refused"
    assert (draft.problems, f"wrong/{NAME}.py" in draft.problems[0]) == (said, True)
    page = words_of(editor.get(address))
    assert all(" ".join(problem.split()) in page for problem in draft.problems)
    assert words in page
    answer = editor.post(address, {"do": "publish", "mark": draft.mark}, follow=True)
    assert "Prove it again." in words_of(answer)
