"""Lessons in the browser: names, faults, conflicts, versions, and what learners keep."""

from importlib import import_module

import pytest
from django.apps import apps
from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.assessment.models import Question, Response
from quizzes.classes.publishing.lesson_drafts import MOST_STEPS
from quizzes.courses.drafts import current_text
from quizzes.courses.editions import editions_of
from quizzes.courses.models import AuditEntry, ContentDraft, Course, OldName
from quizzes.exercises.models import Exercise
from quizzes.learners.models import Progress
from quizzes.lessons.canonical_files import lesson_files, lesson_form_content
from quizzes.lessons.lesson_files import content_hash_of
from quizzes.lessons.models import Lesson
from quizzes.lessons.store import stored_step
from quizzes.teaching.changes import changes
from quizzes.teaching.lesson.form import press_button
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.authoring.test_check_and_load import run
from tests.courses import at
from tests.factories import create_browser
from tests.lessons.course import write_course, write_lesson
from tests.teaching.lesson_forms import lesson_thing, opened, read

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
COURSE = "course"
LESSONS = f"/teach/courses/{COURSE}/lessons/"
PAGE = f"{LESSONS}first/"


@pytest.fixture(autouse=True)
def step(db):
    """The course of each test has its own steps."""


@pytest.fixture
def folder(tmp_path):
    """The folder of a loaded course with a lesson of three steps, and another lesson."""
    steps = {"one": "Words.\n", "two": "```question\nslug: adds\n```\n", "three": "End.\n"}
    root = write_course(tmp_path, steps)
    write_lesson(root, "second", {"only": "[back](/learn/first/three/)\n"}, title="Second")
    edit(root / "course.yaml", "[first]", "[first, second]")
    write_question(root, "adds", QUESTION.replace("sums/adding", "first/two"))
    write_quiz(root, "sums", "adds")
    code, said = run("load_content", root)
    assert code == 0, said
    return root


@pytest.fixture
def course(folder):
    return Course.objects.get(slug=COURSE)


@pytest.fixture
def ada(folder):
    return create_browser("ada", role="editor", course=COURSE)


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def text_of(answer):
    return answer.content.decode()


def send(browser, course, slug="first", **changes):
    return browser.post(f"{LESSONS}{slug}/", opened(course, slug, **changes), follow=True)


def faults(course, **changes):
    """Return the faults of the form with these changes, as "field: line: words"."""
    checked = lesson_thing(course, "first").check(read(opened(course, "first", **changes)))
    return [f"{fault.path}: {fault.line}: {fault.message}" for fault in checked.problems]


# ---- begin, publish, remove


def test_new_lesson_is_published_last(ada, folder, course, client):
    answer = ada.post(LESSONS, {"slug": "third", "title": "The third"}, follow=True)
    assert "third is now a draft." in text_of(answer)
    assert client.get(at("/learn/third/", COURSE)).status_code == 404
    assert "nothing changed" in run("load_content", folder)[1]
    fields = {
        "title": "The third", "summary": "More.", "form": "steps", "prerequisites": "",
        "steps": ["1"], "title-1": "It begins here!", "slug-1": "", "text-1": "Hello.\r\n",
        "work-1-1": "paper", "where-1-1": "section 2",
    }  # fmt: skip
    revision = current_text(lesson_thing(course, "third")).revision
    ada.post(f"{LESSONS}third/", fields | {"revision": revision, "do": "publish"})
    lesson = Lesson.objects.get(slug="third")
    assert (lesson.number, lesson.withdrawn_at, lesson.loaded_hash) == (3, None, "")
    assert "Hello." in text_of(client.get(at("/learn/third/it-begins-here/", COURSE)))
    assert AuditEntry.objects.get(act="published").subjects[0][:2] == ["lesson", "third"]
    assert "nothing changed" in run("load_content", folder)[1]
    run("export_content", folder)
    assert (folder / "lessons/third/steps/01-it-begins-here.md").read_text() == "Hello.\n"
    code, said = run("load_content", folder)
    assert code == 0, said
    assert Lesson.objects.get(slug="third").loaded_hash
    assert [edition.number for edition in editions_of(lesson)] == [1]


def test_discarded_new_lesson_is_gone(ada, course):
    ada.post(LESSONS, {"slug": "third", "title": "The third"})
    said = text_of(send(ada, course, "third", do="discard"))
    assert "The lesson third has been discarded." in said
    assert not Lesson.objects.filter(slug="third").exists()
    assert "already a lesson first" in text_of(ada.post(LESSONS, {"slug": "first"}))


def test_published_step_keeps_its_name(ada, course, client):
    page = text_of(ada.get(PAGE))
    assert page.count("readonly") == 3
    said = text_of(send(ada, course, **{"title-1": "A better title", "slug-1": "one"}))
    assert "Published with 3 steps" in said
    assert "A better title" in text_of(client.get(at("/learn/first/one/", COURSE)))


def test_name_of_new_step_may_be_corrected(ada, course):
    fields = opened(course, "first", do="add")
    ada.post(PAGE, fields)
    new = {"title-4": "Fourth", "text-4": "More.", "work-4-1": "paper", "do": "save"}
    send(ada, course, **new, **{"slug-4": "foruth"})
    assert 'value="foruth"' in text_of(ada.get(PAGE))
    said = text_of(send(ada, course, **{"slug-4": "fourth"}))
    assert "Published with 4 steps" in said
    assert not OldName.objects.exists()


def test_preview_beside_text_is_a_part(ada, course, django_assert_max_num_queries):
    """It reads the one lesson, with nothing cached, stores nothing, and has no frame of a page."""
    fields = opened(course, "first", step="1", **{"text-1": "New *words* of $x^2$."})
    part = {"HX-Request": "true"}
    with django_assert_max_num_queries(22):
        answer = ada.post(f"{PAGE}preview/", fields, headers=part)
    page = text_of(answer)
    assert "data-step-preview" in page
    assert "New <em>words</em>" in page
    assert "<math" in page
    assert "<html" not in page
    assert "css/lessons" in page
    assert not ContentDraft.objects.exists()
    assert "<html" in text_of(ada.post(f"{PAGE}preview/", fields))
    viewer = create_browser("vera", role="viewer", course=COURSE)
    assert viewer.post(f"{PAGE}preview/", fields, headers=part).status_code == 403


def test_bad_name_of_step_is_its_only_fault(course):
    (named,) = faults(course, **{"slug-1": "Bad Name"})
    assert named == "steps.0.slug: 1: slug: 'Bad Name': must be a slug such as why-order"
    first, text = faults(course, **{"slug-1": "Bad Name", "text-1": "A\n\n# B\n"})
    assert first == named
    assert text == "steps.0.text: 3: a heading starts with ##: the page itself has the #"


def test_exercise_stays_at_its_step(ada, course):
    """The list of exercises follows the lesson at once, not at the next load."""
    places = {"at-one": 1001, "at-three": 1003, "of-next": 2001}
    for slug, place in places.items():
        Exercise.objects.create(course=course, slug=slug, place=place)
    send(ada, course, do="up:3")
    assert "Published with 3 steps" in text_of(send(ada, course))
    now = dict(Exercise.objects.order_by("place").values_list("slug", "place"))
    assert now == {"at-one": 1001, "at-three": 1002, "of-next": 2001}


def test_steps_without_name_have_their_own_differences(course):
    content = read(opened(course, "first"))
    blank = {**content["steps"][0], "slug": ""}
    steps = [*content["steps"], {**blank, "text": "Fourth."}, {**blank, "text": "Fifth."}]
    said = {change.label: change for change in changes(content, {**content, "steps": steps})}
    assert [piece.text for piece in said["Step 4, without a name, text"].pieces] == ["Fourth."]
    assert [piece.text for piece in said["Step 5, without a name, text"].pieces] == ["Fifth."]


def test_named_step_cannot_be_removed(ada, folder, course):
    (told,) = faults(course, steps=["1", "3"])
    assert told == "steps: 1: step first/two was removed, and is named by question adds"
    edit(folder / "lessons/second/lesson.yaml", "[numbers]", '["[one](/learn/first/one/)"]')
    assert run("load_content", folder)[0] == 0
    (told,) = faults(course, steps=["2", "3"])
    assert told.endswith(
        "first/one was removed, and is named by lesson second, what to know before"
    )
    (told,) = faults(course, steps=["1", "2"])
    assert told.endswith("first/three was removed, and is named by step second/only")
    said = text_of(send(ada, course, steps=["1", "2"]))
    assert "Saved, not published: 1 problem to fix first." in said
    assert "named by step second/only" in said
    assert Lesson.objects.get(slug="first").steps.count() == 3


def test_removed_step_leaves_progress(ada, course, client):
    client.post(at("/learn/first/one/", COURSE))
    before = list(Progress.objects.order_by("pk").values_list("kind", "slug", "state"))
    said = text_of(send(ada, course, steps=["2", "3"]))
    assert "Published with 2 steps" in said
    assert client.get(at("/learn/first/one/", COURSE)).status_code == 404
    assert list(Progress.objects.order_by("pk").values_list("kind", "slug", "state")) == before
    ada.post(f"{PAGE}versions/1/bring-back/", {"revision": opened(course, "first")["revision"]})
    assert "Published with 3 steps" in text_of(send(ada, course))
    assert client.get(at("/learn/first/one/", COURSE)).status_code == 200


def test_learner_finishes_step_published_meanwhile(ada, course, client):
    page = at("/learn/first/two/", COURSE)
    option = Question.objects.get().current.options.get(text="three")
    assert client.get(page).status_code == 200
    send(ada, course, **{"text-2": "```question\nslug: adds\n```\n\nAnd more."})
    answer = {"option": option.pk, "step": "first/two"}
    client.post(at("/questions/adds/answer/", COURSE), answer)
    assert client.post(page).status_code == 302
    assert Progress.objects.filter(slug="first/two", state=Progress.State.DONE).exists()
    assert "One too many." in text_of(client.get(page))


def test_answer_goes_with_question_to_another_step(ada, course, client):
    option = Question.objects.get().current.options.get(text="three")
    answer = {"option": option.pk, "step": "first/two"}
    client.post(at("/questions/adds/answer/", COURSE), answer)
    send(ada, course, **{"text-1": "```question\nslug: adds\n```\n", "text-2": "Words."})
    assert Response.objects.get().step == "first/one"


# ---- faults


def test_faults_are_named_as_files_name_them(folder, course):
    texts = {
        "one": "Words.\n\n# Big\n",
        "two": "```question\nslug: nothing\n```\n",
        "three": "See [it](/learn/first/four/).\n\n```figure\nid: x\n```\n",
    }
    changes = {f"text-{number}": text for number, text in enumerate(texts.values(), start=1)}
    here = faults(course, **changes, title="", **{"work-2-1": "unknown"})
    write_course(folder.parent, texts, title='""')
    two = "slug: two\n    title: Step two\n    sources: [{work: "
    edit(folder / "lessons/first/lesson.yaml", f"{two}paper", f"{two}unknown")
    said = run("check_content", folder)[1]
    words = [fault.split(": ", 2) for fault in here]
    assert len(words) >= 6
    for path, line, message in words:
        assert message in said
        if path.endswith(".text"):
            name = list(texts)[int(path.split(".")[1])]
            assert f"{name}.md:{line}: {message}" in said


def test_former_name_of_step_is_refused(course):
    OldName.objects.create(course=course, kind="step", old="first/four", new="second/only")
    changes = {
        "steps": ["1", "2", "3", "4"], "slug-4": "four", "title-4": "Four", "text-4": "x",
        "work-4-1": "paper",
    }  # fmt: skip
    (told,) = faults(course, **changes)
    assert "'four' is the former name of second/only" in told


def test_limits_of_draft_are_named(ada, course):
    steps = [str(number) for number in range(1, MOST_STEPS + 2)]
    assert "steps: 1: 41 steps, at most 40 are allowed" in faults(course, steps=steps)
    assert any("at most 64000" in fault for fault in faults(course, **{"text-1": "a " * 32_001}))
    text = "a" * 600_000
    assert any(
        "bytes of text" in fault for fault in faults(course, **{"text-1": text, "text-2": text})
    )
    fields = opened(course, "first", do="save", **{"text-1": "a" * 1_400_000})
    assert ada.post(PAGE, fields).status_code == 413


# ---- others' changes


def test_second_editor_gets_both_texts(ada, course):
    bob = create_browser("bob", role="editor", course=COURSE)
    mine = opened(course, "first", do="save", **{"text-1": "Of ada."})
    bob.post(PAGE, opened(course, "first", do="save", **{"text-1": "Of bob."}))
    answer = ada.post(PAGE, mine)
    assert answer.status_code == 409
    said = text_of(answer)
    assert "Of ada.</textarea>" in said
    pieces = answer.context["stale_changes"][0].pieces
    assert {"bob", "ada"} <= {piece.text for piece in pieces}
    assert current_text(lesson_thing(course, "first")).content["steps"][0]["text"] == "Of bob."


def test_edited_lesson_conflicts_with_changed_file(ada, folder, course):
    send(ada, course, **{"text-1": "Written here.\r\n"})
    assert "nothing changed" in run("load_content", folder)[1]
    edit(folder / "lessons/first/steps/01-one.md", "Words.", "Written there.")
    code, said = run("load_content", folder)
    assert code == 3
    assert f"see {PAGE}" in said
    assert "Written here." in lesson_thing(course, "first").published()["steps"][0]["text"]


def test_export_writes_lesson_back_byte_for_byte(ada, folder, course):
    send(ada, course, title="Another title")
    run("export_content", folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    send(ada, course, **{"text-1": "Written here.\r\n\r\n  Kept.  \r\n"})
    run("export_content", folder)
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    changed = {path.name for path in after if after[path] != before.get(path)}
    assert changed == {"01-one.md"}
    assert (folder / "lessons/first/steps/01-one.md").read_bytes() == (
        b"Written here.\n\n  Kept.  \n"
    )
    code, said = run("load_content", folder)
    assert code == 0, said
    assert "conflict" not in said


def test_moved_lesson_is_not_edited(ada, folder, course):
    send(ada, course, **{"text-1": "Written here.\r\n"})
    edit(folder / "course.yaml", "[first, second]", "[second, first]")
    code, said = run("load_content", folder)
    assert code == 0, said
    assert list(Lesson.objects.order_by("number").values_list("slug", "number")) == [
        ("second", 1),
        ("first", 2),
    ]


def test_draft_follows_steps_that_load_renames(ada, folder, course):
    send(ada, course, do="save", **{"text-1": "A draft of one."})
    steps = folder / "lessons/first/steps"
    (steps / "01-one.md").rename(steps / "01-start.md")
    edit(
        folder / "lessons/first/lesson.yaml",
        "slug: one\n",
        "slug: start\n    renamed_from: [one]\n",
    )
    code, said = run("load_content", folder)
    assert code == 0, said
    assert current_text(lesson_thing(course, "first")).content["steps"][0]["slug"] == "start"
    page = ada.get(PAGE)
    assert page.context["behind"]
    assert "Published with 3 steps" in text_of(send(ada, course))
    rows = Lesson.objects.get(slug="first").steps.values_list("slug", "text")
    assert rows[0] == ("start", "A draft of one.")
    versions = ada.get(PAGE).context["versions"]
    assert versions[-1].text.content["steps"][0]["slug"] == "start"


def test_conflict_keeps_names_and_progress(ada, folder, course, client):
    client.post(at("/learn/first/one/", COURSE))
    send(ada, course, **{"text-1": "Written here."})
    steps, file = folder / "lessons/first/steps", folder / "lessons/first/lesson.yaml"
    (steps / "01-one.md").rename(steps / "01-start.md")
    edit(file, "slug: one\n", "slug: start\n    renamed_from: [one]\n")
    for flag, code in (((), 3), (("--theirs",), 0), ((), 0)):
        assert run("load_content", folder, *flag)[0] == code
        assert Progress.objects.filter(slug="first/one").exists()
        assert client.get(at("/learn/first/one/", COURSE)).status_code == 200
        assert not OldName.objects.exists()
    edit(steps / "03-three.md", "End.", "The end.")
    assert run("load_content", folder, "--ours")[0] == 0
    assert Progress.objects.filter(slug="first/start").exists()
    assert client.get(at("/learn/first/one/", COURSE)).url.endswith("/first/start/")


def test_lesson_is_withdrawn_and_restored(ada, folder, course, client):
    said = text_of(ada.post(f"{PAGE}withdraw/", follow=True))
    assert "Not withdrawn: other things in the course lead to this lesson." in said
    assert "question adds" in said
    ada.post(f"{PAGE}withdraw/", {"running": "yes"})
    assert "nothing changed" in run("load_content", folder)[1]
    assert Lesson.objects.get(slug="first").withdrawn_at is not None
    assert "Withdrawn" in text_of(ada.get(LESSONS))
    ada.post(f"{PAGE}restore/")
    assert client.get(at("/learn/first/one/", COURSE)).status_code == 200
    ada.post(LESSONS, {"slug": "third", "title": "x"})
    assert ada.post(f"{LESSONS}third/restore/").status_code == 404


# ---- the form


def test_buttons_change_order_and_text(ada, course):
    def slugs():
        return [
            step["slug"] for step in current_text(lesson_thing(course, "first")).content["steps"]
        ]

    answer = ada.post(PAGE, opened(course, "first", do="down:1"))
    assert answer.url == f"{PAGE}#step-2"
    assert slugs() == ["two", "one", "three"]
    ada.post(PAGE, opened(course, "first", do="up:3"))
    assert slugs() == ["two", "three", "one"]
    ada.post(PAGE, opened(course, "first", do="remove:2"))
    assert slugs() == ["two", "one"]
    for odd in ("remove:9", "up:x", "down:", "insert"):
        ada.post(PAGE, opened(course, "first", do=odd))
    assert slugs() == ["two", "one"]
    ada.post(PAGE, opened(course, "first", do="insert", block="question:adds", into="2"))
    content = current_text(lesson_thing(course, "first")).content
    assert content["steps"][1]["text"] == "Words.\n\n```question\nslug: adds\n```\n"


def test_each_block_of_menu_is_sound(ada, course):
    for menu in ada.get(PAGE).context["menus"]:
        for value, _ in menu.choices:
            content = press_button(
                read(opened(course, "first")), QueryDict(f"block={value}&into=1"), "insert"
            )
            problems = lesson_thing(course, "first").check(content).problems
            assert [one for one in problems if one.code != "not_run"] == [], value


def test_preview_shows_faulty_text(ada, course):
    fields = opened(course, "first", step="1", do="", **{"text-1": "Words.\n\n```figure\n```\n"})
    answer = ada.post(f"{PAGE}preview/", fields)
    assert answer.status_code == 200
    assert "The figure in line 3 cannot be shown" in text_of(answer)
    fields = opened(course, "first", steps=[], step="7")
    assert ada.post(f"{PAGE}preview/", fields).status_code == 200


def test_viewer_reads_and_writes_nothing(course):
    viewer = create_browser("vera", role="viewer", course=COURSE)
    for path in ("", "preview/", "versions/1/"):
        page = viewer.get(f"{PAGE}{path}")
        assert page.status_code == 200
        assert "Publish</button>" not in text_of(page)
    for path in ("", "preview/", "withdraw/", "restore/", "versions/1/bring-back/"):
        assert viewer.post(f"{PAGE}{path}", opened(course, "first")).status_code == 403
    assert not ContentDraft.objects.exists()


LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=40)
SLUGS = st.sampled_from(["", "one", "two", "New", "a/b", "é", "one"]) | LINES
KEYS = st.sampled_from(["1", "2", "3", "x"])


@settings(max_examples=60)
@given(
    st.lists(KEYS, max_size=5),
    st.dictionaries(
        st.sampled_from(["title", "summary", "form", "prerequisites"]), LINES, max_size=4
    ),
    st.dictionaries(
        st.tuples(st.sampled_from(["title", "text", "work", "where", "deeper"]), KEYS),
        LINES | st.just("on"),
        max_size=8,
    ),
    st.dictionaries(KEYS, SLUGS),
)
def test_form_becomes_files_and_form(steps, fields, parts, slugs):
    parts = {
        f"{name}-{key}{'-1' if name in {'work', 'where'} else ''}": text
        for (name, key), text in parts.items()
    }
    names = {f"slug-{key}": slug for key, slug in slugs.items()}
    content = read({"steps": steps, **fields, **parts, **names})
    files = lesson_files(content)
    assert lesson_form_content(files) == content
    assert lesson_files(lesson_form_content(files)) == files


def test_migration_rewrites_hashes_both_ways(course):
    def hashes():
        return dict(Lesson.objects.values_list("slug", "loaded_hash"))

    migration = import_module("quizzes.lessons.migrations.0012_place_out_of_hash")
    Lesson.objects.filter(slug="second").update(title="Edited")
    before = hashes()
    migration.put_in(apps, None)
    lesson = Lesson.objects.get(slug="first")
    facts = (1, lesson.title, lesson.summary, lesson.form, lesson.prerequisites)
    with_place = content_hash_of(*facts, [stored_step(step) for step in lesson.steps.all()])
    assert hashes() == {**before, "first": with_place}
    migration.take_out(apps, None)
    assert hashes() == before
