"""What a worker prepares beside its grading: versions verified, packs, old Checks."""

import threading
from contextlib import nullcontext
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.utils import timezone

from quizzes.exercises import publishing
from quizzes.exercises.case_pack_pool import read_pack
from quizzes.exercises.models import CasePack, Exercise, ExerciseVersion
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.errors import SandboxBroken
from quizzes.worker import background
from quizzes.worker.heartbeat import Heartbeat
from quizzes.worker.pool_keeper import AuthorSandboxes
from tests.courses import some_course
from tests.exercises import making
from tests.shared_sandboxes import open_shared

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.sandbox]


@pytest.mark.django_db(transaction=True)
def test_a_new_version_is_verified_in_the_sandbox_and_gets_a_pack():
    exercise = making.unverified_exercise()
    version = publishing.lease_unverified()
    with AuthorSandboxes(open_shared) as sandboxes:
        background.verify_version(version, sandboxes)
    version.refresh_from_db()
    assert (version.verification, version.problems) == ("ok", [])
    pack = read_pack(CasePack.objects.get().pk)
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
        "import time\ndef sinusoidal_table(n, d, base=1.0):\n    while True: time.sleep(1)\n",
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(  # what verifying finds is stored in one way, whatever it is
    ("name", "text", "told"),
    [
        pytest.param(*BROKEN_AUTHORS["no case"], id="no case", marks=pytest.mark.both_databases),
        *(
            pytest.param(*broken, id=fault, marks=pytest.mark.soak)
            for fault, broken in BROKEN_AUTHORS.items()
            if fault != "no case"
        ),
    ],
)
def test_a_broken_exercise_is_refused_with_the_reason(name, text, told):
    source = making.shipped_source()
    files = {**source.files, name: text}
    exercise = Exercise.objects.create(course=some_course(), slug="broken")
    publishing.add_version(
        exercise=exercise, definition=read_definition("broken", files), files=files
    )
    version = publishing.lease_unverified()
    with AuthorSandboxes(open_shared) as sandboxes:
        background.verify_version(version, sandboxes)
    version.refresh_from_db()
    assert version.verification == "refused"
    assert name in version.problems[0]
    assert told in version.problems[0]


def preparer(stopping=None):
    return background.Preparer(stopping=stopping or threading.Event(), keep_lease=nullcontext)


def show_work(preparer, monkeypatch):
    """Have it see signs of every kind of work, without a database."""
    monkeypatch.setattr(preparer, "_reading", lambda: True)
    monkeypatch.setattr(preparer._signs, "is_look_due", lambda: True)
    preparer._signs.is_version_waiting = True


WORK = ["_verify_next", "_packs", "_instances"]


@pytest.mark.parametrize("failing", range(3), ids=WORK)
def test_work_that_fails_stops_no_other_and_is_logged_once(failing, monkeypatch, caplog):
    done, now = [], [0.0]

    def work(name):
        def do():
            done.append(name)
            if name == WORK[failing]:
                raise SandboxBroken("the fork server died")
            return False

        return do

    monkeypatch.setattr(background, "time", SimpleNamespace(monotonic=lambda: now[0]))
    subject = preparer()
    show_work(subject, monkeypatch)
    for name, guard in zip(WORK, ["_verification", "_packs", "_instances"], strict=True):
        monkeypatch.setattr(subject, guard, subject._guarded(name, work(name)))
    for _ in range(2):
        now[0] += 1
        subject._look()
    others = [name for name in WORK if name != WORK[failing]]
    assert done == WORK + others  # what failed rests for a while
    for _ in range(3):
        now[0] += background.REST_SECONDS + 1
        subject._look()
    assert done.count(WORK[failing]) == 4
    assert caplog.text.count("the fork server died") == 1


@pytest.mark.parametrize("between", [True, False], ids=["worked", "nothing to do"])
def test_what_failed_again_after_it_had_ended_well_is_logged_again(between, monkeypatch, caplog):
    now, results = [0.0], iter([SandboxBroken("first"), between, SandboxBroken("second")])

    def work():
        if isinstance(result := next(results), Exception):
            raise result
        return result

    monkeypatch.setattr(background, "time", SimpleNamespace(monotonic=lambda: now[0]))
    guarded = preparer()._guarded("this", work)
    for worked in (False, between, False):
        assert guarded() is worked
        now[0] += background.REST_SECONDS + 1
    assert "first" in caplog.text
    assert "second" in caplog.text


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_the_lease_of_a_version_is_renewed_while_it_is_verified(monkeypatch):
    making.unverified_exercise()
    renewed = threading.Event()
    renew = publishing.renew_preparation

    def noted(*, version):
        assert renew(version=version)
        renewed.set()

    def verify(version, _sandboxes):
        ExerciseVersion.objects.update(leased_until=timezone.now() + timedelta(seconds=1))
        assert renewed.wait(20)
        assert ExerciseVersion.objects.get().leased_until > timezone.now() + timedelta(seconds=9)

    monkeypatch.setattr(publishing, "renew_preparation", noted)
    monkeypatch.setattr(background, "verify_version", verify)
    with Heartbeat(process=uuid4(), beat_seconds=0.05) as heartbeat:
        keeping = background.Preparer(stopping=threading.Event(), keep_lease=heartbeat.keep_lease)
        assert keeping._verify_next()
        assert not heartbeat._renewals


def test_it_looks_again_at_once_after_work_and_rests_after_none(monkeypatch):
    waits = []

    class Stopping(threading.Event):
        def wait(self, timeout=None):
            waits.append(timeout)
            return len(waits) == 4

    looks = iter([True, True, False])
    subject = preparer(Stopping())
    monkeypatch.setattr(subject, "_look", lambda: next(looks))
    subject.run()
    assert waits == [background.LOOK_SECONDS, 0, 0, background.LOOK_SECONDS]


class Looks(threading.Event):
    """The event that stops a preparer, after three waits between looks; nobody waits for real."""

    def __init__(self):
        super().__init__()
        self.waits = []

    def wait(self, timeout=None):
        self.waits.append(timeout)
        return self.waits.count(background.LOOK_SECONDS) == 3


def test_a_look_that_fails_is_logged_and_followed_by_others(monkeypatch, caplog):
    """A thread that died would leave a worker that grades and verifies nothing, unseen."""
    stopping = Looks()
    subject = preparer(stopping)
    show_work(subject, monkeypatch)
    results = iter([OSError("the sandbox cannot be ended"), False])

    def close():
        if isinstance(result := next(results, False), Exception):
            raise result

    for guard in ("_verification", "_packs", "_instances"):
        monkeypatch.setattr(subject, guard, lambda: False)
    monkeypatch.setattr(subject._sandboxes, "close", close)
    subject.run()
    look, rest = background.LOOK_SECONDS, background.REST_SECONDS
    assert stopping.waits == [look, rest, look, look]
    assert caplog.text.count("OSError: the sandbox cannot be ended") == 1


def test_a_failure_is_told_even_where_what_follows_it_fails(caplog):
    def work():
        raise SandboxBroken("the fork server died")

    def close():
        raise OSError("the sandbox cannot be ended")

    guarded = background.GuardedWork("this", work, after_failure=close)
    with pytest.raises(OSError, match="cannot be ended"):
        guarded()
    assert "the fork server died" in caplog.text
    assert guarded() is False, "it rests all the same"


@pytest.mark.django_db(transaction=True)
def test_files_published_before_are_only_warned_of_clauses():
    """A course that stands loads as it did: its packs are retired, and it is verified again."""
    files = {
        name: text
        for name, text in making.shipped_source().files.items()
        if not name.startswith("wrong/") or name in ("wrong/swap.py", "wrong/exp_half.py")
    }
    first = verified("first", files)
    assert first.verification == "refused"
    assert all("No known mistake breaks" in problem for problem in first.problems)
    published = {"verification": "ok", "problems": [], "outline": {"hidden": 9}}
    ExerciseVersion.objects.filter(pk=first.pk).update(**published)
    publishing.note_problem(version=first, problem="its author's code failed once")
    assert publishing.verify_again(version=first)
    again = verified(None, files)
    assert (again.pk, again.verification) == (first.pk, "ok")
    CasePack.objects.update(retired_at=timezone.now())
    second = verified("second", files)
    assert second.verification == "ok"
    warned = [item["message"] for item in second.proof["warnings"] if item["kind"] == "clause"]
    assert any("No known mistake breaks requirement 1a alone" in words for words in warned)


def verified(course, files):
    """Return the version of these files in a new course, or the one that waits, verified."""
    if course is not None:
        exercise = Exercise.objects.create(course=some_course(course), slug="table")
        definition = read_definition(making.FOLDER.name, files)
        publishing.add_version(exercise=exercise, definition=definition, files=files)
    version = publishing.lease_unverified()
    with AuthorSandboxes(open_shared) as sandboxes:
        background.verify_version(version, sandboxes)
    version.refresh_from_db()
    return version
