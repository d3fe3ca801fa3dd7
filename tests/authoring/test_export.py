"""A course back to files: canonical form, exact round trip, nothing else touched."""

import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from quizzes.assessment.canonical_files import question_files
from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.question_drafts import EditableQuestion
from quizzes.assessment.question_files import question_from, read_questions, read_quizzes
from quizzes.authoring.canonical_form import canonical_files
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.exporting import put
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.yaml_nodes import parse_yaml
from quizzes.courses.drafts import current_text, publish, save_draft
from quizzes.courses.models import Course, OldName
from quizzes.courses.withdrawal import withdraw
from quizzes.exercises.models import Exercise
from quizzes.learners.models import User
from tests.assessment.conftest import load, quiz  # noqa: F401  (fixtures)
from tests.authoring.whole_course import write_whole_course
from tests.course_folders import COURSES, name_of
from tests.courses import SLUG
from tests.examples import examples
from tests.lessons.course import write_course, write_lesson

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
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def exported(path: Path, course: str = SLUG) -> str:
    out = StringIO()
    call_command("export_content", path, "--course", course, stdout=out)
    return out.getvalue()


@pytest.mark.slow
@examples(30)
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
def canonical(shipped, tmp_path):
    """A shipped course, every file in canonical form that has one."""
    root = shutil.copytree(shipped, tmp_path / shipped.name)
    for name, text in canonical_files(read_course_files(DiskFiles(root))):
        put(root, name, text)
    return root


@pytest.mark.soak  # of small files every day: test_whatever_is_written_is_read_as_it_was
@pytest.mark.parametrize("shipped", COURSES, ids=name_of)
def test_the_canonical_form_says_the_same_and_is_stable(shipped, canonical):
    assert hashes(canonical) == hashes(shipped)
    before = contents(canonical)
    files = read_course_files(DiskFiles(canonical))
    assert not any(put(canonical, name, text) for name, text in canonical_files(files))
    assert contents(canonical) == before


def forget_everything():
    """Empty the database of courses."""
    for model in (Question, Exercise):
        model.objects.update(current=None)
    for model in (Quiz, Question, Exercise, Course):
        model.objects.all().delete()


@pytest.mark.parametrize("size", ["plus_minus", "within"])
def test_an_answer_that_must_be_exact_stays_so(size):
    answer = {"value": "9", size: 0.0, "unit": "", "reason": "It is $100 - 7 \\cdot 13$."}
    content = {"kind": "numeric", "prompt": "How many?", "step": "a/b", "tags": []}
    file = question_files({**content, "answer": answer})["question.yaml"]
    problems = []
    read = question_from("x", parse_yaml(file, path="q.yaml", problems=problems), None, problems)
    assert (read.answer, problems) == (answer, [])


@pytest.mark.slow
# JSON columns of PostgreSQL keep no order of keys; an edit, below, says so of a few files.
@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize(
    "shipped",
    [  # the home course has ten times as much of the same
        pytest.param(one, marks=pytest.mark.soak if one == settings.COURSE else (), id=one.name)
        for one in COURSES
    ],
)
def test_a_whole_course_out_and_in_again(shipped, canonical, tmp_path):
    """Out of one database, into an empty one, out again: the same files, byte for byte."""
    author = contents(shipped)
    call_command("load_content", shipped, stdout=StringIO())
    written = exported(shutil.copytree(shipped, tmp_path / "author"), shipped.name)
    assert "no files written" in written
    assert contents(tmp_path / "author") == author
    first = tmp_path / "first" / shipped.name
    exported(first, shipped.name)
    assert contents(first) == contents(canonical)
    texts = {
        name for name in author if name.endswith((".md", ".py")) or "/exercises/" in f"/{name}"
    }
    assert len(texts) > 40
    assert {name: contents(first)[name] for name in texts} == {name: author[name] for name in texts}
    forget_everything()
    call_command("load_content", first, stdout=StringIO())
    second = tmp_path / "second" / shipped.name
    exported(second, shipped.name)
    assert contents(second) == contents(first)


@pytest.mark.both_databases
def test_an_edit_in_the_browser_comes_back_and_is_no_conflict_then(quiz, tmp_path, load):  # noqa: F811
    assert "1 file written" in exported(tmp_path)  # course.yaml, which the fixture does not need
    before = contents(tmp_path)
    question, editor = Question.objects.get(slug="one"), User.objects.create_user("ada")
    thing = EditableQuestion(question, steps={"sums/adding": "Adding"})
    now = current_text(thing)
    content = {**now.content, "prompt": "What is $2$?\n\nThink."}
    content["step"] = "sums/adding"
    saved = save_draft(thing, content=content, revision=now.revision, editor=editor)
    assert "no files written" in exported(tmp_path)  # a draft is nobody's yet
    publish(thing, revision=saved, editor=editor)
    withdraw(quiz)
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
    assert not read_questions(DiskFiles(tmp_path))[1]


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


# ---- one course, and what it has no longer


@pytest.fixture
def loaded(tmp_path):
    """A small course of every kind that is loaded, and its folder."""
    root = write_whole_course(tmp_path)
    call_command("load_content", root, stdout=StringIO())
    return root


def export_of(root, *flags):
    out = StringIO()
    call_command("export_content", root, *flags, stdout=out)
    return out.getvalue()


def test_nothing_of_another_course_is_written(loaded, tmp_path):
    other = write_course(tmp_path / "other", {"one": "Words."}).rename(tmp_path / "another")
    call_command("load_content", other, stdout=StringIO())
    before = contents(loaded), contents(other)
    assert "no files written" in export_of(loaded)
    assert "no files written" in export_of(other)
    assert (contents(loaded), contents(other)) == before
    assert "3 files written" in export_of(tmp_path / "new", "--course", "another")
    call_command("check_content", tmp_path / "new", stdout=StringIO())


def test_a_folder_of_another_course_is_refused_and_left_alone(loaded, tmp_path):
    other = write_course(tmp_path / "other", {"one": "Words."}).rename(tmp_path / "another")
    call_command("load_content", other, stdout=StringIO())
    before = contents(other)
    with pytest.raises(CommandError, match="the folder another belongs to another course"):
        export_of(other, "--course", "course")
    with pytest.raises(CommandError, match="there is no course 'new': name one with --course"):
        export_of(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    assert contents(other) == before


def test_comments_stay_where_nothing_changed(loaded):
    files = [loaded / name for name in ("course.yaml", "map.yaml")]
    files += [*loaded.glob("lessons/*/lesson.yaml"), *loaded.glob("quizzes/*.yaml")]
    for file in files:
        file.write_text(f"# mine\n{file.read_text()}")
    before = contents(loaded)
    assert "no files written" in export_of(loaded)
    assert contents(loaded) == before


def test_what_a_thing_has_no_longer_is_deleted_and_what_nobody_knows_stays(loaded, tmp_path):
    older = shutil.copytree(loaded, tmp_path / "older" / "course")
    mine = older / "questions/mine/question.yaml"
    mine.parent.mkdir()
    mine.write_text("not loaded yet")
    lesson = loaded / "lessons/first/lesson.yaml"
    lesson.write_text(lesson.read_text().partition("  - slug: two")[0])
    (loaded / "lessons/first/steps/02-two.md").unlink()
    for path in loaded.glob("exercises/causal-mask/wrong/*.py"):
        if path.stem == "future":
            path.unlink()
    call_command("load_content", loaded, stdout=StringIO())
    said = export_of(older)
    assert "lessons/first/steps/02-two.md: deleted" in said
    assert "exercises/causal-mask/wrong/future.py: deleted" in said
    assert mine.read_text() == "not loaded yet"
    shutil.rmtree(mine.parent)
    call_command("load_content", older, stdout=StringIO())  # nothing of it is a fault or a change
    assert export_of(loaded).count("\n") == 1


def test_old_names_are_written_too(loaded, tmp_path):
    file = loaded / "quizzes/sums.yaml"
    file.rename(loaded / "quizzes/adding.yaml").write_text(
        "title: Sums\nsummary: Adding.\nrenamed_from: [sums]\nquestions: [adds]\n"
    )
    step, lesson = loaded / "lessons/first/steps/01-one.md", loaded / "lessons/first/lesson.yaml"
    step.write_text(step.read_text().replace("/quiz/sums/", "/quiz/adding/"))
    lesson.write_text(lesson.read_text() + "    renamed_from: [before, second/before]\n")
    call_command("load_content", loaded, stdout=StringIO())
    first = tmp_path / "first" / "course"
    export_of(first)
    assert "renamed_from: [sums]\n" in (first / "quizzes/adding.yaml").read_text()
    wanted = "renamed_from: [before, second/before]\n"
    assert wanted in (first / "lessons/first/lesson.yaml").read_text()
    forget_everything()
    call_command("load_content", first, stdout=StringIO())
    export_of(tmp_path / "second" / "course")
    assert contents(tmp_path / "second" / "course") == contents(first)


def test_the_path_and_a_reference_come_back_as_they_were(tmp_path):
    texts, dates = {"one": "1", "two": "2", "more": "3"}, {"more": "2026-11-30"}
    root = write_course(tmp_path, texts, deeper=["two", "more"], as_of=dates)
    write_lesson(root, "words", {"notation": "Words."}, title="Words", form="reference")
    file = root / "course.yaml"
    file.write_text(file.read_text().replace("[first]", "[first, words]"))
    call_command("load_content", root, stdout=StringIO())
    assert "no files written" in export_of(root)
    first = tmp_path / "first" / "course"
    export_of(first)
    steps = (first / "lessons/first/lesson.yaml").read_text()
    assert steps.count("title: Step") == 3
    assert "- slug: two\n    title: Step two\n    going_deeper: true\n" in steps
    more = "- slug: more\n    title: Step more\n    going_deeper: true\n    as_of: 2026-11-30\n"
    assert more in steps
    assert steps.count("going_deeper") == 2
    assert "form: reference\n" in (first / "lessons/words/lesson.yaml").read_text()
    before = contents(first)
    for name, text in canonical_files(read_course_files(DiskFiles(first))):
        put(first, name, text)
    assert contents(first) == before
    forget_everything()
    call_command("load_content", first, stdout=StringIO())
    export_of(tmp_path / "second" / "course")
    assert contents(tmp_path / "second" / "course") == before


def test_an_old_name_that_a_thing_of_the_browser_took_is_not_written(loaded, tmp_path):
    course = Course.objects.get()
    OldName.objects.create(course=course, kind="quiz", old="mine", new="sums")
    quiz_of_ours = Quiz.objects.get(slug="sums")
    mine = Quiz.objects.create(course=course, slug="mine", title="Mine", summary="Mine.")
    mine.places.create(question=quiz_of_ours.places.first().question, order=1)
    out = tmp_path / "out" / "course"
    export_of(out)
    assert "renamed_from" not in (out / "quizzes/sums.yaml").read_text()
    assert not read_course_files(DiskFiles(out)).problems


def test_files_of_a_withdrawn_thing_go_unless_their_author_went_on(loaded, tmp_path):
    gone = loaded / "quizzes/end.yaml"
    older = shutil.copytree(loaded, tmp_path / "older" / "course")
    newer = shutil.copytree(loaded, tmp_path / "newer" / "course")
    gone.unlink()
    call_command("load_content", loaded, stdout=StringIO())
    assert f"quizzes/{gone.name}: deleted" in export_of(older)
    assert contents(older) == contents(loaded)
    file = newer / "quizzes" / gone.name
    file.write_text(file.read_text().replace("title: ", "title: My "))
    assert "deleted" not in export_of(newer)
    assert file.exists()
