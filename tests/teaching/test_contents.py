"""Contents of a course, a new course, and zips, as instructors meet them in the browser."""

import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.assessment.models import Question
from quizzes.authoring.exporting import texts_of
from quizzes.authoring.lesson_order import order_token
from quizzes.classes.publishing.lesson_drafts import NEW_STEP
from quizzes.courses.drafts import current_text
from quizzes.courses.models import AuditEntry, ContentDraft, Course, PendingZip
from quizzes.courses.roles import Role, role_in
from quizzes.exercises.models import ExerciseVersion
from quizzes.learners.models import User
from tests.assessment.content import QUESTION
from tests.authoring.whole_course import write_whole_course
from tests.classes.pages import count_queries
from tests.factories import create_browser, create_lesson
from tests.teaching.forms import address, form, teach
from tests.teaching.lesson_forms import form_of, lesson_thing

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

CONTENTS = teach("contents/")
NEW = "/teach/new-course/"
UPLOAD = f"{NEW}upload/"
BEGUN = {"slug": "algebra", "title": "Algebra", "summary": "Sums."}


def texts(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def zip_of(files, name="course.zip"):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in files.items():
            packed.writestr(f"any/{path}", text)
    return SimpleUploadedFile(name, held.getvalue(), "application/zip")


def files_below(root):
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def files(tmp_path):
    return files_below(write_whole_course(tmp_path))


def digest_in(page):
    return re.search(r'name="digest"\s+value="(\w+)"', page.content.decode())[1]


@pytest.fixture
def ida(db):
    """An instructor's browser, without a role in any course."""
    return create_browser("ida", role="")


@pytest.fixture
def algebra(ida):
    """A course that Ida began in the browser."""
    ida.post(NEW, BEGUN)
    return Course.objects.get(slug="algebra")


# ---- contents


def test_contents_show_lessons_in_order_with_states(ada, course, quiz, exercise):
    create_lesson("later", ["end"])
    ada.post(address("two"), form("two", do="save"))
    ada.post(teach("exercises/add/withdraw/"))
    ada.post(address("one"), form(prompt="Another?"))
    page = texts(ada.get(CONTENTS))
    assert page.index("1. Sums") < page.index("2. Later")
    assert "Draft by ada" in page
    assert "Withdrawn" in page
    assert "Edited in the browser" in page
    whole = ada.get(CONTENTS).content.decode()
    for name in ("question", "quiz"):
        assert f'href="{address({"question": "one", "quiz": "sums"}[name], name)}"' in whole


def test_contents_cost_at_most_sixteen_queries(ada, course, quiz, exercise):
    ada.get(CONTENTS)
    before = count_queries(ada, CONTENTS)
    for number in range(4):
        create_lesson(f"more-{number}", ["a", "b"])
    assert count_queries(ada, CONTENTS) == before
    assert before <= 16


def test_an_arrow_moves_a_lesson(ada, course):
    create_lesson("later", ["end"])
    data = {"lesson": "later", "direction": "up", "order": order_token(["sums", "later"])}
    moved = ada.post(teach("contents/order/"), data)
    assert moved["Location"] == f"{CONTENTS}#lesson-later"
    page = texts(ada.get(CONTENTS))
    assert page.index("1. Later") < page.index("2. Sums")
    assert "was changed after you opened" in texts(
        ada.post(teach("contents/order/"), data, follow=True)
    )
    assert ada.post(teach("contents/order/"), data | {"direction": "left"}).status_code == 400


def test_a_viewer_reads_contents_and_changes_nothing(course):
    create_lesson("later", ["end"])
    viewer = create_browser("vera", role="viewer")
    page = viewer.get(CONTENTS).content.decode()
    assert "contents/order/" not in page
    assert "download/" not in page
    data = {"lesson": "later", "direction": "up", "order": order_token(["sums", "later"])}
    assert viewer.post(teach("contents/order/"), data).status_code == 403
    assert viewer.get(teach("contents/download/")).status_code == 403


# ---- a new course


def test_a_new_course_belongs_to_its_maker(ida, algebra):
    account = User.objects.get(username="ida")
    assert role_in(algebra, account) == Role.OWNER
    assert not algebra.is_listed
    assert AuditEntry.objects.get(course=algebra).act == "began the course"


def test_every_page_of_an_empty_course_works(ida, algebra):
    for path in ("", "learn/", "quiz/", "exercises/", "map/", "progress/", "search/?q=a"):
        assert ida.get(f"/c/algebra/{path}").status_code == 200, path
    for path in (
        "",
        "contents/",
        "class/",
        "questions/",
        "quizzes/",
        "exercises/",
        "people/",
        "log/",
    ):
        assert ida.get(teach(path, "algebra")).status_code == 200, path


def test_new_course_with_example_has_lesson(ida):
    made = ida.post(NEW, BEGUN | {"example": "on"}, follow=True)
    assert "1. Algebra: the basics" in texts(made)
    assert ida.get("/c/algebra/learn/basics/the-mean/").status_code == 200


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"slug": "Not a name"}, "must be lower-case words"),
        ({"slug": "posenc"}, "there is already a course"),
        ({"title": ""}, "required"),
        ({"summary": "a\u202eb"}, "U+202E"),
    ],
)
def test_new_course_with_fault_is_not_begun(ida, course, changes, words):
    before = Course.objects.count()
    slug = {"slug": course.slug} if changes.get("slug") == "posenc" else {}
    page = ida.post(NEW, BEGUN | changes | slug)
    assert page.status_code == 400
    assert words in texts(page)
    assert Course.objects.count() == before


def test_an_editor_without_the_group_begins_no_course(ada):
    User.objects.get(username="ada").groups.clear()
    assert ada.get(NEW).status_code == 403
    assert ada.post(NEW, BEGUN).status_code == 403
    assert ada.get(UPLOAD).status_code == 403


# ---- works, and a first lesson

WORKS = teach("contents/works/", "algebra")
WORK = {"name": "noether-1921", "text": "Noether 1921, Rings", "url": "https://example.org/rings"}


def test_begun_course_gets_its_first_lesson(ida, algebra, client):
    assert "noether-1921 can be named by steps now." in texts(ida.post(WORKS, WORK, follow=True))
    lessons = teach("lessons/", "algebra")
    ida.post(lessons, {"slug": "rings", "title": "Rings"})
    content = {**current_text(lesson_thing(algebra, "rings")).content, "summary": "Rings."}
    source = {"work": "noether-1921", "where": "section 1"}
    step = {**NEW_STEP, "slug": "sums", "title": "Sums", "text": "Add.\n", "sources": [source]}
    dated = {**step, "as_of": "2026-11-30"}
    revision = current_text(lesson_thing(algebra, "rings")).revision
    sent = form_of({**content, "steps": [dated]}, revision=revision, do="publish")
    assert "Published with 1 step" in texts(ida.post(f"{lessons}rings/", sent, follow=True))
    assert "Noether 1921, Rings" in texts(client.get("/c/algebra/learn/rings/sums/"))
    files = texts_of(Course.objects.get(slug="algebra"))
    assert "as_of: 2026-11-30" in files["lessons/rings/lesson.yaml"]
    page = ida.post(UPLOAD, {"slug": "copied", "zip": zip_of(files)})
    ida.post(f"{UPLOAD}apply/", {"digest": digest_in(page)})
    assert texts_of(Course.objects.get(slug="copied")) == files


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "Not a name"}, "must be lower-case words"),
        ({"text": ""}, "required"),
        ({"text": "a\u202eb"}, "U+202E"),
        ({"url": "javascript:alert(1)"}, "must start with https://"),
        ({}, "there is already a work noether-1921"),
    ],
)
def test_work_with_fault_is_not_added(ida, algebra, changes, words):
    ida.post(WORKS, WORK)
    page = ida.post(WORKS, WORK | changes)
    assert page.status_code == 400
    assert words in texts(page)
    algebra.refresh_from_db()
    assert list(algebra.sources) == ["noether-1921"]


def test_viewer_adds_no_work(ida, algebra):
    vera = create_browser("vera", role=Role.VIEWER, course="algebra")
    assert vera.get(WORKS).status_code == 200
    assert vera.post(WORKS, WORK).status_code == 403


# ---- zips


def test_a_zip_becomes_a_course_after_a_look(ida, files):
    page = ida.post(UPLOAD, {"slug": "copied", "zip": zip_of(files)})
    assert page.status_code == 200
    assert "3 questions" in texts(page)
    assert not Course.objects.filter(slug="copied").exists()
    done = ida.post(f"{UPLOAD}apply/", {"digest": digest_in(page)}, follow=True)
    assert "1. First lesson" in texts(done)
    course = Course.objects.get(slug="copied")
    assert texts_of(course).keys() == files.keys()
    assert not PendingZip.objects.exists()
    assert ExerciseVersion.objects.get().verification == "waiting"  # a worker runs it, not the site


def test_what_is_downloaded_uploads_without_a_difference(ida, files):
    page = ida.post(UPLOAD, {"slug": "copied", "zip": zip_of(files)})
    ida.post(f"{UPLOAD}apply/", {"digest": digest_in(page)})
    ida.post(teach("questions/", "copied"), {"slug": "unfinished", "kind": "single"})
    data = ida.get(teach("contents/download/", "copied")).content
    assert ida.get(teach("contents/download/", "copied")).content == data
    sent = {"zip": SimpleUploadedFile("copied.zip", data)}
    assert "nothing to apply" in texts(ida.post(teach("contents/upload/", "copied"), sent))
    # The same files as another course have the same files again.
    sent = {"slug": "third", "zip": SimpleUploadedFile("copied.zip", data)}
    ida.post(f"{UPLOAD}apply/", {"digest": digest_in(ida.post(UPLOAD, sent))})
    again = ida.get(teach("contents/download/", "third")).content
    assert again != data  # its folder has the other name
    third, copied = (Course.objects.get(slug=slug) for slug in ("third", "copied"))
    assert texts_of(third) == texts_of(copied)


@pytest.mark.parametrize("example", [{}, {"example": "on"}])
def test_a_begun_course_uploads_without_a_difference(ida, example):
    ida.post(NEW, BEGUN | example)
    data = ida.get(teach("contents/download/", "algebra")).content
    sent = {"zip": SimpleUploadedFile("a.zip", data)}
    assert "nothing to apply" in texts(ida.post(teach("contents/upload/", "algebra"), sent))


def test_faults_are_shown_and_nothing_is_kept(ida, algebra, files):
    files["questions/adds/question.yaml"] += "misspelt: 1\n"
    page = ida.post(teach("contents/upload/", "algebra"), {"zip": zip_of(files)})
    assert page.status_code == 400
    assert re.search(r"questions/adds/question\.yaml:\d+: misspelt: unknown field", texts(page))
    assert not PendingZip.objects.exists()


def test_zip_shows_changes_withdrawals_and_conflicts(ida, algebra, files):
    here = teach("contents/upload/", "algebra")
    ida.post(f"{here}apply/", {"digest": digest_in(ida.post(here, {"zip": zip_of(files)}))})
    draft = ContentDraft.objects.create(
        course=algebra,
        kind="question",
        slug="drawn",
        files={},
        edited_by=User.objects.get(username="ida"),
    )
    Question.objects.filter(slug="adds").update(loaded_hash="0" * 64)  # as if edited here
    changed = dict(files)
    changed["questions/adds/question.yaml"] = QUESTION.replace("sums/adding", "first/two")
    changed["lessons/second/steps/01-end.md"] = "Another end.\n"
    changed["questions/drawn/question.yaml"] += "tags: [new]\n"
    del changed["map.yaml"]
    page = ida.post(here, {"zip": zip_of(changed)})
    rows = texts(page)
    for words in (
        "adds question Conflict",
        "second lesson Changed",
        "drawn question Changed The draft by ida stays",
        "algebra concept map Withdrawn",
    ):
        assert words in rows
    done = texts(ida.post(f"{here}apply/", {"digest": digest_in(page)}, follow=True))
    assert "1 thing changed in the browser stayed as before" in done
    assert "first/one" in texts_of(algebra)["questions/adds/question.yaml"]
    assert texts_of(algebra)["lessons/second/steps/01-end.md"] == "Another end.\n"
    assert ContentDraft.objects.get() == draft
    page = ida.post(here, {"zip": zip_of(changed)})
    ida.post(f"{here}apply/", {"digest": digest_in(page), "wins": "zip"})
    assert "first/two" in texts_of(algebra)["questions/adds/question.yaml"]
    acts = AuditEntry.objects.filter(course=algebra).values_list("act", flat=True)
    assert list(acts).count("uploaded a zip") == 3


def test_course_changed_meanwhile_is_shown_again(ida, algebra, files):
    here = teach("contents/upload/", "algebra")
    page = ida.post(here, {"zip": zip_of(files)})
    Course.objects.filter(pk=algebra.pk).update(title="Changed meanwhile")
    stale = ida.post(f"{here}apply/", {"digest": digest_in(page)})
    assert stale.status_code == 409
    assert "changed after you looked" in texts(stale)
    assert algebra.lessons.count() == 0
    ida.post(f"{here}apply/", {"digest": digest_in(stale)})
    assert algebra.lessons.count() == 2


def test_a_course_of_a_folder_takes_no_zip(ada, course, files):
    here = teach("contents/upload/")
    page = texts(ada.get(here))
    assert "next load of that folder would undo a zip" in page
    ada.post(here, {"zip": zip_of(files)})
    assert not PendingZip.objects.exists()
    PendingZip.objects.create(
        by=User.objects.get(username="ada"), slug=course.slug, data=zip_of(files).read()
    )
    done = texts(ada.post(f"{here}apply/", {"digest": "0"}, follow=True))
    assert "loaded from a folder now" in done
    assert "would undo a zip" in done
    assert not Question.objects.filter(slug="adds").exists()


def test_a_zip_that_is_none_says_so(ida, algebra):
    sent = {"zip": SimpleUploadedFile("a.zip", b"no zip")}
    page = ida.post(teach("contents/upload/", "algebra"), sent)
    assert page.status_code == 400
    assert "not a zip that can be read" in texts(page)


def test_apply_without_a_zip_leads_back(ida, algebra):
    done = ida.post(teach("contents/upload/apply/", "algebra"), {"digest": "0"}, follow=True)
    assert "no zip to apply any more" in texts(done)
    assert "no zip to apply any more" in texts(ida.post(f"{UPLOAD}apply/", follow=True))
