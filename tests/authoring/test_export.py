"""Questions and quizzes back to files: canonical form, exact round trip, nothing else touched."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import settings as sized
from hypothesis import strategies as st

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.question_drafts import editable, publish, save_draft
from quizzes.assessment.question_files import question_from, read_questions, read_quizzes
from quizzes.assessment.quiz_drafts import withdraw_quiz
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.exporting import canonical_files, export, put, question_files
from quizzes.content_files.yaml_nodes import parse_yaml
from quizzes.learners.models import User
from tests.assessment.conftest import load, quiz  # noqa: F401  (fixtures)

pytestmark = pytest.mark.django_db

LINE = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1)
SHAPED = st.sampled_from(
    ["no", "1e5", "12:30", "- item", "# head", "a: b", "'", '"', "{{ value x }}", "| x", "~", ".5"]
)
TEXT = st.one_of(LINE, SHAPED).map(lambda text: " ".join(text.split())).filter(bool)
PROSE = st.lists(st.one_of(TEXT, st.just("")), min_size=1).map("\n".join).map(str.strip)
OPTION = st.fixed_dictionaries({"text": TEXT, "reason": PROSE.filter(bool)})


def hashes(root: Path) -> dict[str, str]:
    return {
        one.path: one.content_hash
        for read in (read_questions, read_quizzes)
        for one in read(root)[0]
    }


def contents(root: Path) -> dict[str, bytes]:
    files = [*root.glob("questions/*/*"), *root.glob("quizzes/*")]
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in files if path.is_file()
    }


def exported(path: Path) -> str:
    out = StringIO()
    call_command("export_content", path, stdout=out)
    return out.getvalue()


@pytest.mark.slow
@sized(max_examples=30)
@given(
    prompt=PROSE.filter(bool), options=st.lists(OPTION, min_size=2, max_size=4), tags=st.lists(TEXT)
)
def test_whatever_is_written_is_read_as_it_was(prompt, options, tags):
    content = {"kind": "single", "prompt": prompt, "step": "a/b", "tags": tags}
    content["options"] = [{**one, "key": not number} for number, one in enumerate(options)]
    files = question_files(content)
    node = parse_yaml(files["question.yaml"], path="question.yaml", problems=[])
    long = files.get("prompt.md")
    read = question_from("x", node, long.strip() if long else None, [])
    assert (read.prompt, list(read.tags)) == (prompt, tags)
    assert [(one.text, one.is_key, one.reason) for one in read.options] == [
        (one["text"], one["key"], one["reason"]) for one in content["options"]
    ]


@pytest.fixture
def canonical(tmp_path):
    """The shipped course, its questions and quizzes in canonical form."""
    root = shutil.copytree(settings.COURSE, tmp_path / settings.COURSE.name)
    for name, text in canonical_files(read_course_files(root)):
        put(root, name, text)
    return root


@pytest.mark.soak  # of small files every day: test_whatever_is_written_is_read_as_it_was
def test_the_canonical_form_says_the_same_and_is_stable(canonical):
    assert hashes(canonical) == hashes(settings.COURSE)
    before = contents(canonical)
    files = read_course_files(canonical)
    assert not any(put(canonical, name, text) for name, text in canonical_files(files))
    assert contents(canonical) == before


@pytest.mark.slow
# JSON columns of PostgreSQL keep no order of keys; an edit, below, says so of a few files.
@pytest.mark.both_databases(postgresql="soak")
def test_the_round_trip_is_exact(canonical, tmp_path):
    call_command("load_content", canonical, stdout=StringIO())
    assert export(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(canonical)
    assert "no files written" in exported(canonical)


@pytest.mark.both_databases
def test_an_edit_in_the_browser_comes_back_and_is_no_conflict_then(quiz, tmp_path, load):  # noqa: F811
    assert "no files written" in exported(tmp_path)
    before = contents(tmp_path)
    question, editor = Question.objects.get(slug="one"), User.objects.create_user("ada")
    content = {**editable(question).content, "prompt": "What is $2$?\n\nThink."}
    content["step"] = "sums/adding"
    saved = save_draft(question=question, content=content, revision=1, editor=editor)
    assert "no files written" in exported(tmp_path)  # a draft is nobody's yet
    publish(question=question, revision=saved, steps=["sums/adding"], editor=editor)
    withdraw_quiz(quiz=quiz, revision=1)
    written = exported(tmp_path)
    assert "questions/one/question.yaml" in written
    assert "2 files written" in written
    after = contents(tmp_path)
    assert after.pop("questions/one/prompt.md") == b"What is $2$?\n\nThink.\n"
    assert {name for name in after if after[name] != before[name]} == {
        "questions/one/question.yaml"
    }
    load()
    question.refresh_from_db()
    assert question.current.content_hash == question.loaded_hash
    assert question.versions.count() == 2


def test_a_prompt_that_became_short_takes_its_file_away(quiz, tmp_path):  # noqa: F811
    folder = tmp_path / "questions" / "one"
    (folder / "prompt.md").write_text("Another\n\nprompt.\n")
    (folder / "question.yaml").write_text("kind: single\nstep: sums/adding\noptions: []\n")
    exported(tmp_path)
    assert not (folder / "prompt.md").exists()
    assert not read_questions(tmp_path)[1]


def test_links_are_not_followed(quiz, tmp_path):  # noqa: F811
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "question.yaml").write_text("theirs")
    root = tmp_path / "course"
    (root / "questions").mkdir(parents=True)
    (root / "questions" / "one").symlink_to(outside)
    with pytest.raises(CommandError, match="leads out of"):
        exported(root)
    (root / "questions" / "one").unlink()
    (root / "questions" / "one").mkdir()
    (root / "questions" / "one" / "question.yaml").symlink_to(outside / "question.yaml")
    exported(root)
    assert (outside / "question.yaml").read_text() == "theirs"
    assert "What is" in (root / "questions" / "one" / "question.yaml").read_text()
    assert Quiz.objects.count() == 1
