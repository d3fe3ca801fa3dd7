"""Exercises in the browser: fields of known mistakes, faults, conflicts, versions, proofs."""

import pytest
from django.conf import settings
from django.http import QueryDict
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.skeletons import write_course
from quizzes.content_files.files import DiskFiles, MemoryFiles
from quizzes.courses.drafts import MOST_DRAFTS, current_text
from quizzes.courses.models import ContentDraft
from quizzes.exercises.files import read_exercise, save_exercise
from quizzes.exercises.models import Exercise, ExerciseProof, ExerciseVersion
from quizzes.exercises.proofs import leases
from quizzes.grader.definitions import is_exercise_file
from quizzes.lessons.models import Step
from quizzes.teaching.exercise.form import read_exercise_form
from tests.authoring.test_check_and_load import run
from tests.courses import SLUG, some_course
from tests.factories import create_browser, create_lesson
from tests.teaching.exercise_forms import exercise_thing, form_of, key_in, opened, read

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
SKELETON = settings.COURSE.parents[1] / "authoring/skeleton"
FOLDER = SKELETON / "exercises/moving-average"
EXERCISES = f"/teach/courses/{SLUG}/exercises/"
PAGE = f"{EXERCISES}moving-average/write/"
HALF = "wrong/half_precision.py"


@pytest.fixture(autouse=True)
def step(db):
    """The steps that the exercise names."""
    create_lesson("basics", ["the-mean", "code-it"])


@pytest.fixture
def exercise(db):
    """A small exercise, as it was loaded."""
    save_exercise(some_course(), read_exercise(DiskFiles(SKELETON), FOLDER.name, []))
    return Exercise.objects.get()


def text_of(answer):
    return answer.content.decode()


def content_now(slug="moving-average"):
    return current_text(exercise_thing(some_course(), slug)).content


def send(browser, **changes):
    return browser.post(PAGE, opened(some_course(), "moving-average", **changes), follow=True)


def changed(**texts):
    """Return the content that the exercise has now with other files; None takes one out."""
    files = {**content_now()["files"], **texts}
    return {"files": {name: text for name, text in files.items() if text is not None}}


def faults(content):
    checked = exercise_thing(some_course(), "moving-average").check(content)
    return [str(fault) for fault in checked.problems if fault.path != "proof"]


def faults_of_files(content):
    """Return the faults that check_content says of the same files in a course."""
    skeleton = DiskFiles(SKELETON)
    paths = ("course.yaml", "lessons/basics/lesson.yaml", "lessons/basics/steps/01-the-mean.md",
             "lessons/basics/steps/02-code-it.md")  # fmt: skip
    texts = {path: skeleton.text(path) for path in paths}
    within = "exercises/moving-average/"
    texts |= {f"{within}{name}": text for name, text in content["files"].items()}
    problems = read_course_files(MemoryFiles("course", texts)).problems
    return [str(one).removeprefix(within) for one in problems if one.path.startswith(within)]


# ---- the form


def test_header_of_a_mistake_is_a_form(ada, exercise):
    key = key_in(content_now(), HALF)
    send(
        ada,
        **{
            f"stem-{key}": "halved",
            f"Does-{key}": "You halve it.",
            f"Number-{key}": "It is half.",
            f"Kind-{key}": "convention",
        },
    )
    files = ContentDraft.objects.get().files
    assert HALF not in files
    header, _, code = files["wrong/halved.py"].partition('\n"""\n\n')
    lines = header.split("\n")
    assert lines[0] == '"""Does: You halve it.'
    assert lines[2:3] == ["Number: It is half."]
    assert "Kind: convention" in lines
    assert code == content_now()["files"]["wrong/halved.py"].partition('\n"""\n\n')[2]


def test_removing_one_of_two_names_keeps_the_other():
    data = QueryDict(mutable=True)
    data.setlist("files", ["1", "2", "3"])
    for key, code in (("2", "first = 1\n"), ("3", "second = 2\n")):
        data.update({f"name-{key}": "wrong/half.py", f"stem-{key}": "half", f"text-{key}": code})
    data.update({"name-1": "reference.py", "text-1": "x = 1\n"})
    for removed, kept in (("2", "second"), ("3", "first")):
        files = read_exercise_form(data, f"remove:{removed}")["files"]
        assert [name for name in files if name.startswith("wrong/")] == ["wrong/half.py"]
        assert kept in files["wrong/half.py"]
    assert "reference.py" in read_exercise_form(data, "remove:1")["files"]
    data.setlist("files", ["2"] * 400)
    assert len(read_exercise_form(data, "save")["files"]) == 400


def test_new_exercise_stands_at_its_step(ada, exercise):
    exercise.refresh_from_db()
    thing = exercise_thing(exercise.course, exercise.slug)
    step = Step.objects.select_related("lesson").first()
    place = thing._place(f"{step.lesson.slug}/{step.slug}")
    assert place == step.lesson.number * 1000 + step.number
    assert thing._place("no/step") is None


def test_mistakes_are_added_and_removed(ada, exercise):
    said = text_of(send(ada, do="add"))
    files = ContentDraft.objects.get().files
    assert files["wrong/new_mistake.py"].endswith(files["reference.py"])
    assert "expected a line `Does: You ...` saying what this code does" in said
    key = key_in(content_now(), "wrong/new_mistake.py")
    send(ada, **{f"stem-{key}": "half_precision"})
    assert "wrong/half_precision_2.py" in ContentDraft.objects.get().files, "none replaces another"
    key = key_in(content_now(), HALF)
    send(ada, do=f"remove:{key}")
    assert HALF not in ContentDraft.objects.get().files
    send(ada, do=f"remove:{key_in(content_now(), 'reference.py')}")
    send(ada, do="below")
    files = ContentDraft.objects.get().files
    assert files["below.py"] == ""
    assert files["reference.py"]


NAMES = st.sampled_from(["statement.md", "cases.py", "exercise.yaml", "below.py", "notes.md"])
STEMS = st.text("abc_ .-é", min_size=1, max_size=8).filter(lambda stem: stem.strip() == stem)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=60)
FILES = st.dictionaries(
    NAMES | STEMS.map(lambda stem: f"wrong/{stem}.py").filter(is_exercise_file),
    TEXTS | TEXTS.map(lambda text: f'"""Does: {text}\nStep: a/b\n"""\n\nx = 1\n'),
    max_size=6,
)


@given(FILES)
@hypothesis_settings(max_examples=200, deadline=None)
def test_any_files_come_back_from_the_form(files):
    stems = [name for name in files if name.removesuffix(".py").endswith(".py")]
    if not stems:
        assert read(form_of({"files": files})) == {"files": files}


# ---- what is wrong


FAULTS = [
    ("exercise.yaml", "title:", "tittle:", "exercise.yaml:2: tittle: unknown field"),
    (HALF, "Does: ", "Dose: ", f"{HALF}:2: Should: comes after a sentence"),
    (HALF, "import", "imporrt", f"{HALF}:"),
    ("cases.py", "def cases", "def case", "cases.py:1: does not define `cases`"),
    ("starter.py", "", None, "starter.py:1: is missing or empty"),
    ("statement.md", "Return", "Return [it](/learn/nowhere/)", "statement.md:1: "),
    (HALF, "basics/the-mean", "basics/nowhere", f"{HALF}:3: there is no step basics/nowhere"),
]


@pytest.mark.parametrize(("name", "old", "new", "fault"), FAULTS)
def test_fault_is_that_of_check_content(exercise, name, old, new, fault):
    text = content_now()["files"][name]
    content = changed(**{name: None if new is None else text.replace(old, new, 1)})
    found = faults(content)
    assert found
    assert found == sorted(faults_of_files(content))
    assert any(one.startswith(fault) for one in found), found


def test_fault_leads_to_its_field_and_line(ada, exercise):
    content = content_now()
    key, task = key_in(content, HALF), key_in(content, "statement.md")
    code = content["files"][HALF].partition('\n"""\n\n')[2]
    said = text_of(
        send(
            ada,
            do="prove",
            **{
                f"Step-{key}": "basics/nowhere",
                f"text-{task}": "Words.\n\n[a link](/learn/nowhere/)\n",
            },
        )
    )
    assert "Not proved: 2 problems to fix first." in said
    assert f'<a href="#Step-{key}"' in said
    assert f'<a href="#text-{task}"' in said
    assert 'data-line="3">statement.md:3</a>' in said
    said = text_of(send(ada, do="prove", **{f"code-{key}": code.replace("return", "retrun")}))
    assert "Not proved: 1 problem to fix first." in said
    line = code.split("return")[0].count("\n") + 1
    assert f'<a href="#code-{key}" data-line="{line}">' in " ".join(said.split())
    assert not ExerciseProof.objects.exists()


def test_too_large_texts_are_not_proved(ada, exercise):
    name = "statement.md"
    long = content_now()["files"][name] + "word " * 27_000
    assert faults(changed(**{name: long})) == [f"{name}:1: is larger than 131072 bytes"]
    many = {f"notes-{number}.md": "x" * 100_000 for number in range(12)}
    assert any("at most 1048576 are allowed" in fault for fault in faults(changed(**many)))


# ---- others at the same time


def test_second_editor_gets_both_texts(ada, bob, exercise):
    task = f"text-{key_in(content_now(), 'statement.md')}"
    both = opened(some_course(), "moving-average")
    ada.post(PAGE, both | {task: "Ada writes.\r\n"})
    answer = bob.post(PAGE, both | {task: "Bob writes.\r\n"})
    assert answer.status_code == 409
    assert "Ada" in text_of(answer)
    assert "Bob writes." in text_of(answer)
    assert ContentDraft.objects.get().files["statement.md"] == "Ada writes.\n"


def test_draft_beyond_the_limit_comes_back(ada, exercise):
    rows = (
        ContentDraft(course=some_course(), kind="lesson", slug=f"lesson-{number}", files={})
        for number in range(MOST_DRAFTS)
    )
    ContentDraft.objects.bulk_create(rows)
    answer = send(ada, **task_with("What I wrote.\n"))
    assert answer.status_code == 400
    assert "Not saved: the course has 200 drafts" in text_of(answer)
    assert "What I wrote." in text_of(answer)
    said = text_of(ada.post(EXERCISES, {"slug": "another"}))
    assert "the course has 200 drafts" in said
    assert not Exercise.objects.filter(slug="another").exists()


def test_viewers_read_and_write_nothing(exercise):
    viewer = create_browser("vera", role="viewer")
    assert "half_precision" in text_of(viewer.get(PAGE))
    assert viewer.post(PAGE, opened(some_course(), "moving-average")).status_code == 403
    assert not ContentDraft.objects.exists()


# ---- proofs


def prove(ada, problems=(), **changes):
    send(ada, do="prove", **changes)
    leased = leases.lease_proof()
    leases.end_proof(draft=leased, problems=problems)
    return leased


def task_with(words):
    return {f"text-{key_in(content_now(), 'statement.md')}": words}


def test_problem_of_a_proof_leads_to_its_file(ada, exercise):
    changes = task_with("Other words.\n\n1. It is right.\n")
    key = key_in(content_now(), HALF)
    prove(ada, [f"{HALF}: was graded correct", "statement.md:3: f(1) gives 2"], **changes)
    said = text_of(ada.get(PAGE))
    assert f'<a href="#code-{key}"' in said
    assert "was graded correct" in said
    assert 'data-line="3">statement.md:3</a>' in said
    said = text_of(send(ada, do="publish"))
    assert "Saved, not published" in said
    assert ExerciseVersion.objects.count() == 1


def test_one_proof_a_person_and_stop(ada, exercise):
    send(ada, do="prove", **task_with("First.\n\n1. Right.\n"))
    ada.post(EXERCISES, {"slug": "another"})
    fields = opened(some_course(), "another", do="prove")
    said = text_of(ada.post(f"{EXERCISES}another/write/", fields, follow=True))
    assert "Another draft of yours is being proved." in said
    send(ada, do="stop")
    assert ExerciseProof.objects.get().state == "edited"
    assert leases.lease_proof() is None
    ada.post(f"{EXERCISES}another/write/", fields, follow=True)
    assert leases.lease_proof().exercise.slug == "another"


def test_newer_text_takes_over_the_proof(ada, exercise):
    send(ada, do="prove", **task_with("First.\n\n1. Right.\n"))
    older = leases.lease_proof()
    send(ada, do="prove", **task_with("Second.\n\n1. Right.\n"))
    leases.end_proof(draft=older, problems=[])
    row = ExerciseProof.objects.get()
    assert (row.state, row.proved_hash) == ("waiting", "")
    newer = leases.lease_proof()
    assert newer.files["statement.md"].startswith("Second.")


def test_proof_outlives_killed_workers(ada, exercise):
    send(ada, do="prove", **task_with("First.\n\n1. Right.\n"))
    for _ in range(leases.MOST_TRIES):
        assert leases.lease_proof() is not None
        assert leases.lease_proof() is None, "it is held"
        ExerciseProof.objects.update(leased_until="2020-01-01T00:00Z")
    assert leases.lease_proof() is None
    row = ExerciseProof.objects.get()
    assert (row.state, row.problems) == ("failed", [leases.UNFINISHED])
    assert leases.UNFINISHED in text_of(ada.get(PAGE))


# ---- publish, versions, files


def test_older_version_becomes_the_draft(ada, exercise):
    prove(ada, **task_with("Other words.\n\n1. Right.\n"))
    assert "Published as version 2" in text_of(send(ada, do="publish"))
    said = text_of(ada.get(PAGE))
    assert "<bdi>ada</bdi>" in said
    page = text_of(ada.get(f"{EXERCISES}moving-average/versions/2/"))
    assert "<ins" in page
    revision = current_text(exercise_thing(some_course(), "moving-average")).revision
    back = f"{EXERCISES}moving-average/versions/1/bring-back/"
    said = text_of(ada.post(back, {"revision": revision}, follow=True))
    assert "Version 1 is now your draft." in said
    assert ContentDraft.objects.get().files == exercise.versions.get(number=1).files


def test_copy_is_another_exercise(ada, exercise):
    address = f"{EXERCISES}moving-average/duplicate/"
    assert "There is already" not in text_of(ada.post(address, {"slug": "other"}, follow=True))
    draft = ContentDraft.objects.get(slug="other")
    assert draft.files == exercise.versions.get().files
    said = text_of(ada.post(address, {"slug": "other"}))
    assert "already a exercise other" in said
    ada.post(f"{EXERCISES}other/write/", opened(some_course(), "other", do="discard"))
    assert not Exercise.objects.filter(slug="other").exists()


def test_published_exercise_goes_into_files_and_back(tmp_path):
    folder = tmp_path / "whole"
    write_course(tmp_path, "whole")
    assert run("load_content", folder)[0] == 0
    ada = create_browser("ada", role="editor", course="whole")
    course = Exercise.objects.get().course
    page = "/teach/courses/whole/exercises/moving-average/write/"
    content = current_text(exercise_thing(course, "moving-average")).content
    field = f"text-{key_in(content, 'statement.md')}"

    def post(**changes):
        return ada.post(page, opened(course, "moving-average", **changes), follow=True)

    text = content["files"]["statement.md"]
    post(do="prove", **{field: f"A word.\n\n{text}"})
    leases.end_proof(draft=leases.lease_proof(), problems=[])
    edit(folder, "moving average", "average")
    assert run("load_content", folder)[0] == 0, "nobody has published anything"
    assert ContentDraft.objects.get().files["statement.md"].startswith("A word."), "it stays"
    assert "The published exercise changed after this draft was started." in text_of(ada.get(page))
    assert "Published as version 3" in text_of(post(do="publish"))
    edit(folder, "average", "mean")
    code, said = run("load_content", folder)
    assert (code, "changed in the file" in said) == (3, True)
    run("export_content", folder)
    written = folder / "exercises/moving-average/statement.md"
    assert written.read_text() == f"A word.\n\n{text}"
    code, said = run("load_content", folder)
    assert code == 0, said
    assert "nothing changed" in run("load_content", folder)[1]


def edit(folder, old, new):
    file = folder / "exercises/moving-average/statement.md"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
