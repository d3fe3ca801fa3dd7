"""What a worker prepares beside its grading: versions verified, packs, chores, old Checks."""

import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.exercises import chores, leases, packs, preparing, publishing
from quizzes.exercises.files import read_exercise
from quizzes.exercises.models import CasePack, Exercise, Submission
from quizzes.exercises.workbench import Workbench
from quizzes.grader.definition import read_definition
from quizzes.grader.errors import SandboxBroken
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox]


@pytest.mark.django_db(transaction=True)
def test_a_new_version_is_verified_in_the_sandbox_and_gets_a_pack():
    exercise = making.unverified_exercise()
    version = publishing.lease_unverified()
    with Workbench() as bench:
        preparing.verify_version(version, bench)
    version.refresh_from_db()
    assert (version.verification, version.problems) == ("ok", [])
    pack = packs.read_pack(CasePack.objects.get().pk)
    assert pack.content_hash == exercise.current.content_hash
    assert version.outline["hidden"] >= 1
    assert {one["slug"] for one in version.proof["variants"]} >= {"swap", "transposed"}
    assert all(call.startswith("sinusoidal_table(n=") for call in version.outline["shown"])


BROKEN_AUTHORS = {
    "no case": ("cases.py", "def cases(rng):\n    return []\n", "no case"),
    "a reference that raises": (
        "reference.py",
        "def sinusoidal_table(n, d, base=1.0):\n    1/0\n",
        "",
    ),
    "a starter that is right": ("starter.py", making.REFERENCE, "starter.py"),
    "an endless reference": (
        "reference.py",
        "def sinusoidal_table(n, d, base=1.0):\n    while True: pass\n",
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("name", "text", "told"), BROKEN_AUTHORS.values(), ids=BROKEN_AUTHORS.keys()
)
def test_a_broken_exercise_is_refused_with_the_reason(name, text, told):
    source = read_exercise(making.FOLDER, within="")
    files = {**source.files, name: text}
    exercise = Exercise.objects.create(slug="broken")
    publishing.add_version(
        exercise=exercise, definition=read_definition("broken", files), files=files
    )
    version = publishing.lease_unverified()
    with Workbench() as bench:
        preparing.verify_version(version, bench)
    version.refresh_from_db()
    assert version.verification == "refused"
    assert name in version.problems[0]
    assert told in version.problems[0]


def test_a_failing_chore_stops_no_verification(monkeypatch):
    done = []

    def chore():
        done.append("chore")
        raise SandboxBroken("the fork server died")

    monkeypatch.setattr(chores, "_chores", [chore])
    preparer = preparing.Preparer(stopping=threading.Event())
    monkeypatch.setattr(preparer, "_look_at_exercises", lambda: done.append("exercises"))
    preparer._look()
    preparer._look()
    assert done == ["exercises", "chore", "exercises"]  # the chore rests for a while
    assert chores._chores == [chore]


def test_it_looks_again_at_once_after_work_and_rests_after_none(monkeypatch):
    waits = []

    class Stopping(threading.Event):
        def wait(self, timeout=None):
            waits.append(timeout)
            return len(waits) == 4

    looks = iter([True, True, False])
    preparer = preparing.Preparer(stopping=Stopping())
    monkeypatch.setattr(preparer, "_look", lambda: next(looks))
    preparer.run()
    assert waits == [preparing.LOOK_SECONDS, 0, 0, preparing.LOOK_SECONDS]


@pytest.mark.django_db
def test_old_checks_are_forgotten_and_submissions_are_not():
    exercise = making.ready_exercise()
    for kind in ("check", "submit"):
        making.waiting(exercise, kind=kind)
        leases.record(lease=making.lease(), report=making.WRONG)
    waiting = making.waiting(exercise, kind="check")
    Submission.objects.update(submitted_at=timezone.now() - timedelta(days=8))
    assert preparing.forget_what_is_old() == 1
    assert {row.kind for row in Submission.objects.graded()} == {"submit"}
    assert Submission.objects.filter(pk=waiting.pk).exists()
