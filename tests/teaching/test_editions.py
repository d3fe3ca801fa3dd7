"""Versions of a quiz: by whom, when, what changed, and an earlier one as the draft."""

import pytest

from quizzes.assessment.models import Quiz
from quizzes.assessment.quiz_drafts import set_class_only
from quizzes.authoring.course_files import Rename
from quizzes.authoring.renames import apply
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.renamed_from import FormerName
from quizzes.courses.editions import editions_of
from quizzes.courses.models import Edition
from quizzes.courses.withdrawal import restore, withdraw
from quizzes.learners.models import User
from tests.assessment.content import write_quiz
from tests.drafts import content_of_draft, editable, quiz_drafts, revision_of
from tests.factories import create_browser
from tests.teaching.forms import address, quiz_form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
QUIZ = teach("quizzes/sums/")
PLACE = ContentProblem("quizzes/additions.yaml", 1, "")


def publish(browser, **changes):
    return browser.post(QUIZ, quiz_form(**changes), follow=True)


def test_history_shows_author_time_and_changed_words(ada, quiz):
    publish(ada, title="Sums of two", summary="Adding up.", questions=["two", "one", "three"])
    page = ada.get(QUIZ).content.decode()
    assert "Version 2</a>" in page
    assert "<bdi>ada</bdi>" in page
    assert "from the course files" in page
    newer = ada.get(f"{QUIZ}versions/2/")
    (change,) = newer.context["changes"]
    assert change.label == "Title"
    assert [(piece.kind, piece.text) for piece in change.pieces] == [
        ("same", "Sums"),
        ("added", " of two"),
    ]
    older = ada.get(f"{QUIZ}versions/1/").content.decode()
    assert "What is" in older  # its questions, with their reasons
    assert "Count on your fingers." in older
    assert ada.get(f"{QUIZ}versions/3/").status_code == 404


def test_earlier_version_becomes_draft_and_is_published(ada, quiz):
    before = editable(quiz).published()
    opened = revision_of(quiz)
    publish(ada)
    back = f"{QUIZ}versions/1/bring-back/"
    said = ada.post(back, {"revision": opened}, follow=True).content.decode()
    assert "somebody has changed the quiz in the meantime" in said
    assert not quiz_drafts().exists()
    ada.post(back, {"revision": revision_of(quiz)})
    assert content_of_draft() == before
    ada.post(QUIZ, {**before, "do": "publish", "revision": revision_of(quiz)})
    assert editable(quiz).published() == before
    assert [edition.number for edition in editions_of(quiz)] == [3, 2, 1]


@pytest.mark.parametrize("path", [QUIZ, address()])
def test_page_from_before_upgrade_says_so(ada, quiz, path):
    said = ada.post(f"{path}versions/1/bring-back/", {"revision": "7"}, follow=True)
    assert "the site was upgraded after you opened this page" in said.content.decode()


def test_equal_content_adds_no_edition(ada, quiz):
    publish(ada)
    publish(ada)
    withdraw(quiz)
    publish(ada)
    assert [edition.by for edition in editions_of(quiz)] == [User.objects.get(username="ada"), None]


def test_load_adds_edition_of_new_file(quiz, tmp_path, load):
    write_quiz(tmp_path, "sums", "one")
    load()
    load()
    newest, first = editions_of(quiz)
    assert (newest.number, newest.from_files, newest.by) == (2, True, None)
    assert newest.content_hash == editable(quiz).published_hash()
    assert "- three" in first.files["quiz.yaml"]


def test_text_without_edition_is_noted_before_replaced(ada, quiz):
    Quiz.objects.update(title="By an older process")
    publish(ada)
    newest, unnoted, first = editions_of(quiz)
    assert "By an older process" in unnoted.files["quiz.yaml"]
    assert (newest.by, unnoted.by) == (User.objects.get(username="ada"), None)
    assert "author unknown" in ada.get(QUIZ).content.decode()
    assert "title: Sums\n" in first.files["quiz.yaml"]


def test_hiding_from_everybody_is_a_version(ada, quiz):
    set_class_only(quiz=quiz, class_only=True, by=User.objects.get(username="ada"))
    versions = ada.get(QUIZ).context["versions"]
    assert [row.changed for row in versions] == [["For classes only"], []]
    assert versions[0].text.is_current


def test_renamed_quiz_keeps_its_editions(ada, quiz):
    publish(ada)
    apply(quiz.course, [Rename("quiz", "sums", "additions", FormerName("sums", PLACE))])
    assert set(Edition.objects.values_list("slug", flat=True)) == {"additions"}
    page = ada.get(teach("quizzes/additions/versions/1/"))
    assert page.status_code == 200


def test_versions_name_questions_as_they_are_called_now(ada, quiz):
    publish(ada, title="Sums of two", questions=["two", "one", "three"])
    apply(quiz.course, [Rename("question", "two", "pair", FormerName("two", PLACE))])
    page = ada.get(f"{QUIZ}versions/1/")
    assert [part["question"].number for part in page.context["parts"]] == [1, 2, 3]
    assert [row.text.is_current for row in page.context["versions"]] == [True, False]
    ada.post(f"{QUIZ}versions/1/bring-back/", {"revision": revision_of(quiz)})
    assert content_of_draft()["questions"] == ["pair", "one", "three"]
    assert "There is no such question" not in ada.get(QUIZ).content.decode()


def test_version_names_questions_that_are_not_asked(ada, quiz):
    withdraw(quiz.questions.get(slug="two"))
    for path in (f"{QUIZ}versions/1/", f"{QUIZ}preview/"):
        page = ada.get(path)
        assert [part["missing"] for part in page.context["parts"] if "missing" in part] == ["two"]
        assert "<code>two</code> is not asked" in page.content.decode()


def test_editions_of_renamed_quiz_follow_older_ones(ada, quiz):
    publish(ada)
    facts = {"course": quiz.course, "kind": "quiz", "files": {}, "content_hash": "gone"}
    Edition.objects.create(**facts, slug="additions", number=1)
    apply(quiz.course, [Rename("quiz", "sums", "additions", FormerName("sums", PLACE))])
    quiz.refresh_from_db()
    editions = [(edition.number, edition.content_hash) for edition in editions_of(quiz)]
    assert editions[0] == (3, editable(quiz).published_hash())
    assert editions[2] == (1, "gone")
    assert not Edition.objects.filter(slug="sums").exists()


def test_unpublished_quiz_cannot_be_restored(ada, course):
    ada.post(teach("quizzes/"), {"slug": "new-one"})
    with pytest.raises(ValueError, match="restored by publishing"):
        restore(Quiz.objects.get(slug="new-one"))
    assert not Quiz.objects.get(slug="new-one").is_published


def test_viewer_reads_versions_and_writes_nothing(quiz, ada):
    viewer = create_browser("vera", role="viewer")
    page = viewer.get(f"{QUIZ}versions/1/")
    assert page.status_code == 200
    assert "Use it as the draft" not in page.content.decode()
    publish(ada)
    assert "Use it as the draft" not in viewer.get(f"{QUIZ}versions/1/").content.decode()
    revision = {"revision": revision_of(quiz)}
    assert viewer.post(f"{QUIZ}versions/1/bring-back/", revision).status_code == 403
    assert not quiz_drafts().exists()


def test_withdrawn_quiz_has_no_current_version(ada, quiz):
    withdraw(quiz)
    assert not any(row.text.is_current for row in ada.get(QUIZ).context["versions"])
