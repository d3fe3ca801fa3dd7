"""An exercise is written in the browser: proved by a worker, published, met by learners."""

import json
import re
from contextlib import nullcontext
from html import unescape

import pytest
from django.conf import settings
from django.core.management import call_command

from quizzes.content_files.files import DiskFiles
from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft
from quizzes.exercises import publishing
from quizzes.exercises.files import read_exercise, save_exercise
from quizzes.exercises.models import Exercise, ExerciseProof, ExerciseVersion
from quizzes.worker import background
from quizzes.worker.mistake_proofs import prove_next
from quizzes.worker.pool_keeper import AuthorSandboxes
from tests.courses import SLUG, at, some_course
from tests.factories import create_browser, create_lesson
from tests.shared_sandboxes import open_shared
from tests.teaching.exercise_forms import exercise_thing, key_in, opened

pytestmark = [pytest.mark.both_databases, pytest.mark.sandbox, pytest.mark.slow]

FOLDER = settings.COURSE.parents[1] / "authoring/skeleton/exercises/moving-average"
EXERCISES = f"/teach/courses/{SLUG}/exercises/"
HALF = "wrong/half_precision.py"
PAGE = f"{EXERCISES}moving-average/write/"


@pytest.fixture
def exercise(db):
    """A small exercise, loaded and verified as a worker does it."""
    create_lesson("basics", ["the-mean", "code-it"])
    source = read_exercise(DiskFiles(FOLDER.parent.parent), FOLDER.name, [])
    save_exercise(some_course(), source)
    assert verify_next().verification == "ok"
    return Exercise.objects.get()


@pytest.fixture
def ada(db):
    return create_browser("ada", role="editor")


@pytest.fixture
def bob(db):
    return create_browser("bob", role="editor")


def words_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def fields(slug="moving-average", **changes):
    """Return the form that is opened now; `changes` are (old, new) by the name of a file."""
    content = current_text(exercise_thing(some_course(), slug)).content
    changed = {name: value for name, value in changes.items() if not isinstance(value, tuple)}
    sent = opened(some_course(), slug, **changed)
    for name, (old, new) in ((n, v) for n, v in changes.items() if isinstance(v, tuple)):
        key = key_in(content, name)
        field = f"code-{key}" if f"code-{key}" in sent else f"text-{key}"
        assert old in sent[field]
        sent[field] = sent[field].replace(old, new)
    return sent


def send(browser, slug="moving-average", **changes):
    return browser.post(f"{EXERCISES}{slug}/write/", fields(slug, **changes), follow=True)


def prove():
    with AuthorSandboxes(open_shared) as sandboxes:
        assert prove_next(sandboxes, lambda _: nullcontext())
    return ExerciseProof.objects.get()


def verify_next():
    version = publishing.lease_unverified()
    with AuthorSandboxes(open_shared) as sandboxes:
        background.verify_version(version, sandboxes)
    version.refresh_from_db()
    return version


def test_changed_word_is_proved_published_and_met(ada, client, exercise, tmp_path):
    word = ("moving average", "sliding average")
    said = words_of(send(ada, **{"statement.md": word}))
    assert "Saved as a draft." in said
    assert "Not proved yet." in said
    said = words_of(send(ada, do="publish"))
    assert "Saved, not published: 1 problem to fix first." in said
    assert ExerciseVersion.objects.count() == 1
    assert "It is next." in words_of(send(ada, do="prove"))
    proof = prove()
    assert (proof.state, proof.problems) == ("proved", [])
    assert same_as_the_command(proof, tmp_path)
    said = words_of(ada.get(PAGE))
    assert "You can publish this text." in said
    assert "3 of 3 wrong solutions caught, 3 told apart" in said
    said = words_of(send(ada, do="publish"))
    assert "Published as version 2" in said
    page = at("/exercises/moving-average/")
    assert "sliding average" not in words_of(client.get(page))
    assert verify_next().verification == "ok"
    assert "sliding average" in words_of(client.get(page))
    assert not ContentDraft.objects.exists()
    exercise.refresh_from_db()
    assert exercise.current.files == proof.files


def same_as_the_command(proof, tmp_path):
    """The proof says what verify_exercise says of the same files in a folder, except its time."""
    folder = tmp_path / "exercises" / "moving-average"
    for name, text in proof.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    lines = tmp_path / "report"
    with lines.open("w") as report:
        call_command("verify_exercise", tmp_path, "moving-average", json=True, stdout=report)
    printed = json.loads(lines.read_text())
    return without_times(printed) == without_times(proof.report)


def without_times(report):
    """Return a report without what a clock said; PostgreSQL keeps keys in an order of its own."""
    text = json.dumps({**report, "seconds": 0}, sort_keys=True)
    return re.sub(r"[\d.]+ s\b", "", text)


def test_new_exercise_is_written_in_the_browser(ada, client, exercise):
    answer = ada.post(EXERCISES, {"slug": "running-sum"}, follow=True)
    assert "running-sum is now a draft." in words_of(answer)
    assert "Running sum" in answer.content.decode()
    assert client.get(at("/exercises/running-sum/")).status_code == 404
    assert "running-sum" in words_of(ada.get(EXERCISES))
    send(ada, "running-sum", do="prove")
    assert prove().problems == []
    said = words_of(send(ada, "running-sum", do="publish"))
    assert "Published as version 1" in said
    assert verify_next().verification == "ok"
    assert client.get(at("/exercises/running-sum/")).status_code == 200
    row = Exercise.objects.get(slug="running-sum")
    assert (row.loaded_hash, row.withdrawn_at) == ("", None)


ENDLESS = "    while True:\n        pass\n"
SABOTAGES = [
    ("starter.py", "    return x / width", ENDLESS, "starter.py", "was graded limit_reached"),
    ("reference.py", "    return ", f"{ENDLESS}    return ", "reference.py", "the limit is 2 s"),
]


@pytest.mark.parametrize(("name", "old", "new", "place", "words"), SABOTAGES)
def test_endless_code_is_said_of_its_file(ada, exercise, name, old, new, place, words):
    send(ada, do="prove", **{name: (old, new.replace("\n", "\r\n"))})
    proof = prove()
    assert proof.state == "refused"
    (problem, *_) = proof.problems
    assert problem.startswith(place), proof.problems
    assert words in problem
    key = key_in({"files": ContentDraft.objects.get().files}, name)
    assert f'<a href="#text-{key}"' in ada.get(PAGE).content.decode()


def test_twins_and_copies_are_refused(ada, exercise):
    content = current_text(exercise_thing(some_course(), "moving-average")).content
    files = content["files"]
    right, (_, _, half) = files["reference.py"], files[HALF].partition('\n"""\n\n')
    keys = {name: key_in(content, name) for name in files}
    other = keys["wrong/no_division.py"]
    third = keys["wrong/keeps_length.py"]
    send(ada, do="prove", **{f"code-{other}": half, f"code-{third}": right})
    proof = prove()
    twins = "half_precision and no_division cannot be told apart"
    assert any(twins in problem for problem in proof.problems), proof.problems
    assert any(
        problem.startswith("wrong/keeps_length.py: was graded correct")
        for problem in proof.problems
    ), proof.problems
    page = ada.get(PAGE).content.decode()
    assert f'<a href="#code-{third}"' in page
    assert "Not distinguished" in page


def test_text_that_was_changed_is_not_published(ada, exercise):
    send(ada, do="prove", **{"statement.md": ("moving average", "sliding average")})
    prove()
    said = words_of(send(ada, do="publish", **{"hints": "", "starter.py": ("def", "\ndef")}))
    assert "Saved, not published: 1 problem to fix first." in said
    assert "The text was changed since it was proved." in said
    assert ExerciseVersion.objects.count() == 1
