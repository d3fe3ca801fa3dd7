"""The page of a known mistake in the making: who may write, what is refused."""

import re
import shutil
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from quizzes.authoring.exporting import export
from quizzes.exercises import publishing
from quizzes.exercises.files import stored_exercises
from quizzes.exercises.models import Exercise, MistakeDraft
from quizzes.exercises.naming.drafts import (
    begin_draft,
    fields_in,
    files_with,
    publish_draft,
)
from quizzes.exercises.naming.variant_file import VariantFields
from quizzes.exercises.proofs import leases
from quizzes.grader.definitions import hash_files, read_definition
from quizzes.learners.models import User
from tests.courses import SLUG
from tests.factories import (
    browser_of,
    create_account,
    create_browser,
    create_class,
    create_member,
)
from tests.teaching.naming.drafts import (
    CODE,
    FOLDER,
    PRINT,
    WEEK,
    accept_next,
    address,
    begin,
    now,
    prove,
    sent,
    staff,
    words_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_two_students_make_a_group(students):
    page = words_of(staff("ida", "instructor", "editor").get(WEEK))
    assert "No name yet: 2 students, 1 exercise" in page
    assert "Code without a name : 2 students Nobody has made" in page  # above known mistakes
    assert "1 more student submitted wrong code that nobody else’s is like." in page


@pytest.mark.parametrize(
    ("role", "of_course", "status"),
    [("assistant", "", 404), ("instructor", "", 404), ("assistant", "viewer", 403)],
)
def test_only_editors_begin_a_draft(role, of_course, status, students):
    browser = staff("ida", role, of_course)
    page = browser.get(WEEK).content.decode()
    assert "Name it" not in page
    assert "An editor of the course can name this mistake." in page
    assert begin(browser).status_code == status
    assert not MistakeDraft.objects.exists()


def test_second_press_opens_the_same_draft(students):
    browser = staff("ida", "instructor", "editor")
    first, second = begin(browser), begin(browser, kind="convention")
    assert first["Location"] == second["Location"]
    assert fields_in(MistakeDraft.objects.get()).kind == "mistake"
    assert "is naming this mistake" in words_of(browser.get(WEEK))


def test_right_code_begins_a_convention(students):
    browser = staff("ida", "instructor", "editor")
    page = words_of(browser.get(begin(browser, kind="convention")["Location"]))
    assert "“Right numbers, other convention”" in page
    assert fields_in(MistakeDraft.objects.get()).kind == "convention"


def test_group_that_is_gone_begins_nothing(students):
    browser = staff("ida", "instructor", "editor")
    answer = begin(browser, fingerprint="c" * 32)
    assert "have been graded again" in words_of(browser.get(answer["Location"]))
    assert begin(browser, kind="neither").status_code == 400
    assert begin(browser, week="2026").status_code == 400


# ---- the page


def test_viewer_reads_and_writes_nothing(draft):
    viewer = create_browser("vic", role="viewer")
    for page in ("", "patch/"):  # nobody has confirmed yet that the code names nobody
        assert viewer.get(address(draft, page)).status_code == 403
    browser_of(User.objects.get(username="eve")).post(address(draft), sent(draft, do="prove"))
    page = viewer.get(address(draft)).content.decode()
    assert "return x" in page
    assert "Prove" not in page
    for button in ("save", "prove", "publish", "stop", "discard"):
        assert viewer.post(address(draft), sent(draft, do=button)).status_code == 403
    assert now(draft).state == "waiting"
    assistant = create_member(create_class(), "tom", role="assistant")
    assert browser_of(assistant.user).get(address(draft)).status_code == 404


def test_each_fault_stands_at_its_field(draft):
    browser = browser_of(User.objects.get(username="eve"))
    bad = {"does": "It returns.", "should": "", "breaks": "9", "step": "no/step", "code": "x ="}
    answer = browser.post(address(draft), sent(draft, **bad, do="prove", confirmed="on"))
    assert answer.status_code == 400
    page = answer.content.decode()
    assert page.count('aria-invalid="true"') == 5
    words = words_of(answer)
    assert "Saved, not proved: 5 fields to fix first." in words
    assert "expected what the learner does, with you or your" in words
    assert now(draft).state == "edited"
    assert fields_in(now(draft)).does == "It returns."  # nothing that was typed is lost


def test_code_must_be_confirmed_as_read(draft):
    browser = browser_of(User.objects.get(username="eve"))
    body = sent(draft, do="prove")
    del body["confirmed"]
    answer = browser.post(address(draft), body)
    assert (answer.status_code, "Tick this once" in words_of(answer)) == (400, True)
    assert now(draft).state == "edited"


def test_second_editor_gets_both_texts(draft):
    first = browser_of(User.objects.get(username="eve"))
    second = create_browser("bob", role="editor")
    assert first.post(address(draft), sent(draft)).status_code == 302
    theirs = sent(draft, does="You forget the mean.", code=CODE + "# mine\n")
    answer = second.post(address(draft), theirs)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "You return x." in page
    assert "You forget the mean." in page
    assert "# mine" in page
    assert fields_in(now(draft)).does == "You return x."
    mark = re.search(r'name="mark" value="(\w+)"', page)[1]
    assert second.post(address(draft), {**theirs, "mark": mark}).status_code == 302
    assert fields_in(now(draft)).does == "You forget the mean."


def test_edited_text_is_proved_again(draft):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    proved = now(draft)
    assert "Publish a new version" in words_of(browser.get(address(draft)))
    browser.post(address(draft), sent(proved, code=CODE + "y = 1\n"))
    assert now(draft).state == "edited"
    answer = browser.post(address(draft), {"do": "publish", "mark": now(draft).mark}, follow=True)
    assert "Prove it again." in words_of(answer)


def test_proof_of_an_older_version_publishes_nothing(draft, exercise):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    files = {**exercise.current.files, "starter.py": "x = 1\n"}
    version = publishing.add_version(
        exercise=exercise, definition=read_definition(exercise.slug, files), files=files
    )
    leased = publishing.lease_unverified()
    publishing.accept(version=leased, seed=1, data=b"", outline={"shown": [], "hidden": 1})
    assert "changed since this was proved" in words_of(browser.get(address(draft)))
    answer = browser.post(address(draft), {"do": "publish", "mark": now(draft).mark}, follow=True)
    assert "Prove it again." in words_of(answer)
    assert exercise.versions.count() == version.number


def test_one_proof_a_person(draft, exercise):
    eve = User.objects.get(username="eve")
    browser = browser_of(eve)
    other = begin_draft(
        exercise=exercise, fingerprint="b" * 32, fields=VariantFields(code=CODE), by=eve
    )
    browser.post(address(draft), sent(draft, do="prove"))
    answer = browser.post(address(other), sent(other, do="prove"), follow=True)
    assert "Another draft of yours is being proved." in words_of(answer)
    browser.post(address(draft), {"do": "stop"})
    assert browser.post(address(other), sent(now(other), do="prove")).status_code == 302
    assert now(other).state == "waiting"


def test_proof_that_was_stopped_writes_nothing(draft):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    leased = leases.lease_proof()
    browser.post(address(draft), {"do": "stop"})
    leases.end_proof(draft=leased, problems=[], fingerprint=PRINT)
    assert now(draft).state == "edited"
    assert not leases.renew_proof(draft=leased)


def test_proof_ends_after_three_tries(draft):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    for _ in range(3):
        assert leases.lease_proof() == draft
        MistakeDraft.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    assert leases.lease_proof() is None
    assert (now(draft).state, now(draft).problems) == ("failed", [leases.UNFINISHED])


@pytest.mark.parametrize("tries", [0, 1])
def test_wait_for_other_work_ends_no_proof(tries, draft):
    """Versions and cases that come first may take hours; a worker may die while it proves."""
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    for _ in range(tries):
        assert leases.lease_proof() == draft
    past = timezone.now() - timedelta(hours=2)
    MistakeDraft.objects.update(asked_at=past, leased_until=past if tries else None)
    assert leases.lease_proof() == draft
    assert now(draft).state == "waiting"


def test_published_files_stand_in_conflict_and_are_exported(draft, exercise, tmp_path):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    browser.post(address(draft), {"do": "publish", "mark": now(draft).mark})
    version = now(draft).published
    assert version.files == {**exercise.current.files, **now(draft).files}
    stored = stored_exercises(exercise.course)["moving-average"]
    assert stored.loaded_hash != stored.content_hash
    publishing.accept(
        version=publishing.lease_unverified(), seed=1, data=b"", outline={"shown": [], "hidden": 1}
    )
    folder = tmp_path / SLUG
    export(folder, exercise.course)
    there = folder / "exercises/moving-average"
    written = {
        path.relative_to(there).as_posix(): path.read_text()
        for path in there.rglob("*")
        if path.is_file()
    }
    assert written == version.files
    assert hash_files(written) == version.content_hash


def test_load_reports_the_page_of_a_conflict(tmp_path):
    """By the commands: both have changed; an export brings the browser's file into the folder."""
    folder, said = tmp_path / "averages", StringIO()
    shutil.copytree(FOLDER.parents[1], folder)
    call_command("load_content", folder, stdout=said)
    accept_next()
    exercise = Exercise.objects.select_related("course").get(slug="moving-average")
    fields = VariantFields("You return x.", "It should be averaged.", "2", "basics/code-it")
    draft = begin_draft(
        exercise=exercise,
        fingerprint=PRINT,
        fields=replace(fields, code=CODE),
        by=create_account("eve", role="", is_superuser=True),
    )
    MistakeDraft.objects.update(state="proved", proved_hash=hash_files(files_with(draft)))
    publish_draft(draft=draft, mark=draft.mark, by=draft.edited_by)
    accept_next()
    starter = folder / "exercises/moving-average/starter.py"
    starter.write_text(f"{starter.read_text()}# edited\n")
    with pytest.raises(CommandError, match="1 conflict"):
        call_command("load_content", folder, stdout=said, stderr=said)
    assert "see /teach/courses/averages/exercises/moving-average/" in said.getvalue()
    assert exercise.versions.count() == 2
    call_command("export_content", folder, stdout=said)
    assert (folder / "exercises/moving-average" / draft.path).read_text() == draft.text
    assert "# edited" not in starter.read_text()
    call_command("load_content", folder, stdout=said)
    assert exercise.versions.count() == 2


def test_discarded_draft_is_gone(draft):
    browser = browser_of(User.objects.get(username="eve"))
    answer = browser.post(address(draft), {"do": "discard", "mark": "another"}, follow=True)
    assert "somebody has changed this draft" in words_of(answer)
    browser.post(address(draft), {"do": "discard", "mark": draft.mark})
    assert not MistakeDraft.objects.exists()
