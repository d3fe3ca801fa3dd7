"""Every status of a draft is reached, shown on its page, and left again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.exercises import publishing
from quizzes.exercises.models import Exercise, ExerciseVersion, MistakeDraft, Submission
from quizzes.exercises.naming.drafts import begin_draft
from quizzes.exercises.naming.status import DraftStatus, GroupStatus, group_status, status_of
from quizzes.exercises.naming.variant_file import VariantFields
from quizzes.exercises.proofs import leases
from quizzes.grader.definitions import read_definition
from quizzes.learners.models import User
from quizzes.study.data_erasure import erase
from tests.factories import browser_of, create_account, create_class, create_member
from tests.teaching.naming.drafts import (
    CODE,
    PRINT,
    WEEK,
    accept_next,
    add_group,
    add_version,
    address,
    begin,
    now,
    prove,
    publish,
    sent,
    staff,
    words_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def eve():
    return browser_of(User.objects.get(username="eve"))


def refuse_next():
    publishing.refuse(version=publishing.lease_unverified(), problems=["it is slow"])


def verify_again(version):
    assert publishing.verify_again(version=version)
    accept_next()


def load_without(draft):
    """Load the exercise from files that lack the draft's."""
    exercise = Exercise.objects.select_related("current").get()
    path = now(draft).path
    files = {name: text for name, text in exercise.current.files.items() if name != path}
    files["starter.py"] = f"LOADED = {exercise.current.number}\n"
    definition = read_definition(exercise.slug, files)
    publishing.add_version(exercise=exercise, definition=definition, files=files)
    accept_next()


def ask(draft):
    eve().post(address(draft), sent(now(draft), do="prove"))


def prove_it(draft):
    ask(draft)
    prove(draft)


def publish_it(draft):
    publish(eve(), draft)


def reach_edited(draft):
    """Do nothing: it was begun."""


def reach_proved_problems(draft):
    ask(draft)
    prove(draft, ["wrong/return_x.py: it is right"])


def reach_our_failure(draft):
    ask(draft)
    for _ in range(3):
        leases.lease_proof()
        MistakeDraft.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    assert leases.lease_proof() is None


def reach_outdated(draft):
    prove_it(draft)
    load_without(draft)


def reach_withdrawn(draft):
    prove_it(draft)
    Exercise.objects.update(withdrawn_at=timezone.now())


def reach_refused(draft):
    publish_it(draft)
    refuse_next()


def reach_replaced(draft):
    publish_it(draft)
    fields, by = VariantFields(code=CODE), User.objects.get(username="eve")
    begin_draft(exercise=draft.exercise, fingerprint=PRINT, fields=fields, by=by)
    refuse_next()


def reach_verified(draft):
    publish_it(draft)
    accept_next()


def reach_verified_again(draft):
    publish_it(draft)
    version = now(draft).published
    refuse_next()
    verify_again(version)


def reach_verified_after_replaced(draft):
    reach_replaced(draft)
    verify_again(now(draft).published)


def reach_withdrawn_after_all(draft):
    reach_verified(draft)
    Exercise.objects.update(withdrawn_at=timezone.now())


def reach_taken_out(draft):
    reach_verified(draft)
    load_without(draft)


def reach_load_with_it(draft):
    """Prove it; then the course's maintainer has applied the patch."""
    prove_it(draft)
    add_version(draft.exercise, **now(draft).files)
    accept_next()


def reach_load_during_proof(draft):
    ask(draft)
    leased = leases.lease_proof()
    add_version(draft.exercise, **now(draft).files)
    load = publishing.lease_unverified()
    publishing.accept(
        version=load, seed=1, data=b"", outline={"shown": []}, fingerprints={"return_x": PRINT}
    )
    leases.end_proof(draft=leased, problems=["it has this file by now"], fingerprint="")


def reach_other_results(draft):
    publish_it(draft)
    version = publishing.lease_unverified()
    prints, outline = {"return_x": PRINT[:8] + "c" * 24}, {"identify": PRINT[:8]}
    publishing.accept(version=version, seed=1, data=b"", outline=outline, fingerprints=prints)


def reach_not_compared(draft, identify="b" * 8):
    """Publish it after the cases have changed: the group was graded before."""
    publish_it(draft)
    version = publishing.lease_unverified()
    prints = {"return_x": "b" * 8 + "c" * 24}
    outline = {"identify": identify} if identify else {}
    publishing.accept(version=version, seed=1, data=b"", outline=outline, fingerprints=prints)


def reach_unknown_cases(draft):
    """Publish it as a version whose verification notes no digest of its cases."""
    reach_not_compared(draft, identify="")


def reach_equal_files(draft):
    """Load the files of a version that was taken out once more: they are verified at once."""
    reach_other_results(draft)
    version = now(draft).published
    load_without(draft)
    by = User.objects.get(username="eve")
    begin_draft(exercise=draft.exercise, fingerprint=PRINT, fields=VariantFields(), by=by)
    definition = read_definition(draft.exercise.slug, version.files)
    publishing.add_version(exercise=draft.exercise, definition=definition, files=version.files)


def reach_problems_withdrawn(draft):
    reach_proved_problems(draft)
    Exercise.objects.update(withdrawn_at=timezone.now())


REACHED = [
    (reach_edited, DraftStatus.OPEN, "I have read the code"),
    (reach_proved_problems, DraftStatus.OPEN, "wrong/return_x.py: it is right"),
    (reach_our_failure, DraftStatus.OPEN, leases.UNFINISHED),
    (ask, DraftStatus.WAITING, "Waiting to be proved."),
    (prove_it, DraftStatus.PROVED, "Publish a new version"),
    (reach_outdated, DraftStatus.OUTDATED, "Prove it again."),
    (reach_withdrawn, DraftStatus.BLOCKED, "is withdrawn. Restore it first."),
    (reach_refused, DraftStatus.OPEN, "it is slow"),
    (publish_it, DraftStatus.IN_VERIFICATION, "Version 2 is being verified."),
    (reach_replaced, DraftStatus.REPLACED, "Version 2 was refused."),
    (reach_verified, DraftStatus.NAMING, "Version 2 names this mistake."),
    (reach_verified_again, DraftStatus.NAMING, "Version 2 names this mistake."),
    (reach_verified_after_replaced, DraftStatus.NAMING, "Version 2 names this mistake."),
    (reach_withdrawn_after_all, DraftStatus.NAMING, "nobody can submit code until"),
    (reach_load_with_it, DraftStatus.NAMING, "Version 2 names this mistake."),
    (reach_load_during_proof, DraftStatus.NAMING, "Version 2 names this mistake."),
    (reach_taken_out, DraftStatus.TAKEN_OUT, "Learners no longer get this file:"),
    (reach_problems_withdrawn, DraftStatus.BLOCKED, "is withdrawn. Restore it first."),
    (reach_not_compared, DraftStatus.NOT_COMPARED, "Nobody knows yet whether it names"),
    (reach_unknown_cases, DraftStatus.NOT_COMPARED, "Nobody knows yet whether it names"),
    (reach_equal_files, DraftStatus.NOT_COMPARED, "Nobody knows yet whether it names"),
    (reach_other_results, DraftStatus.OTHER_RESULTS, "does not name the group’s code:"),
]


HAVE_THE_FILE = {DraftStatus.NAMING, DraftStatus.OTHER_RESULTS, DraftStatus.NOT_COMPARED}


@pytest.mark.parametrize(
    ("reach", "status", "words"), REACHED, ids=[reach.__name__ for reach, *_ in REACHED]
)
def test_status_is_shown(reach, status, words, draft):
    """The export is named where learners meet the file."""
    reach(draft)
    assert status_of(now(draft)) is status
    page = words_of(eve().get(address(draft)))
    assert words in page
    assert ("export_content" in page) == (status in HAVE_THE_FILE)


def test_every_status_is_reached():
    assert {status for _, status, _ in REACHED} == set(DraftStatus)


def test_discarded_draft_opens_what_it_replaced(draft):
    reach_replaced(draft)
    other = MistakeDraft.objects.exclude(pk=draft.pk).get()
    assert f'href="{address(other)}">go on there' in eve().get(address(draft)).content.decode()
    eve().post(address(other), {"do": "discard", "mark": other.mark})
    assert (now(draft).published, status_of(now(draft))) == (None, DraftStatus.OPEN)
    assert "it is slow" in words_of(eve().get(address(draft)))


def test_file_that_was_taken_out_is_named_again(students):
    browser = staff("ida", "instructor", "editor")
    begin(browser)
    draft = MistakeDraft.objects.select_related("exercise").get()
    publish(browser, draft)
    accept_next()
    load_without(now(draft))
    assert "Name it" in words_of(browser.get(WEEK))
    begin(browser)
    assert MistakeDraft.objects.get() == draft
    assert (now(draft).published, status_of(now(draft))) == (None, DraftStatus.OPEN)
    publish(browser, now(draft))
    accept_next()
    assert status_of(now(draft)) is DraftStatus.NAMING


# ---- an author deletes the code while its version waits


def test_refused_version_takes_erased_code_along(students):
    browser = staff("ida", "instructor", "editor")
    begin(browser)
    draft = MistakeDraft.objects.select_related("exercise").get()
    publish(browser, draft)
    author = draft.sample.learner
    erase(learner=author, user=author.user)
    assert status_of(now(draft)) is DraftStatus.IN_VERIFICATION
    assert "is being verified" in words_of(browser.get(address(draft)))
    refuse_next()
    assert not MistakeDraft.objects.exists()


def test_verified_version_keeps_what_is_published(students):
    browser = staff("ida", "instructor", "editor")
    begin(browser)
    draft = MistakeDraft.objects.select_related("exercise").get()
    publish(browser, draft)
    author = draft.sample.learner
    erase(learner=author, user=author.user)
    accept_next()
    assert status_of(now(draft)) is DraftStatus.NAMING
    load_without(now(draft))
    begin(browser, fingerprint=PRINT)
    assert MistakeDraft.objects.filter(published=None).exclude(pk=draft.pk).count() <= 1
    assert now(draft).published is not None


# ---- cases that change


OLD, NEW = "a" * 8, "b" * 8
REGRADED = NEW + "d" * 24


@pytest.fixture
def group(exercise):
    """Two students whose code was graded with the cases of version 1."""
    members = [create_member(create_class(), "ada"), create_member(create_class("spring"), "bob")]
    ExerciseVersion.objects.update(outline={"identify": OLD})
    exercise.refresh_from_db()
    add_group(exercise, members)
    return exercise


def change_cases(exercise, identify=NEW):
    exercise.refresh_from_db()
    add_version(exercise, **{"starter.py": f"NEW = {exercise.current.number}\n"})
    publishing.accept(
        version=publishing.lease_unverified(),
        seed=1,
        data=b"",
        outline={"identify": identify} if identify else {},
    )


def begin_for(group):
    by = create_account("eve", role="editor")
    fields = VariantFields(code=CODE, step="basics/code-it")
    sample = Submission.objects.order_by("pk").first()
    return begin_draft(exercise=group, fingerprint=PRINT, fields=fields, by=by, sample=sample)


def group_of(draft):
    row = MistakeDraft.objects.select_related("exercise__current", "sample").get(pk=draft.pk)
    return group_status(row)


def test_older_cases_are_graded_again_first(group):
    draft = begin_for(group)
    assert group_of(draft) is GroupStatus.SAME_CASES
    change_cases(group, "")
    assert group_of(draft) is GroupStatus.UNKNOWN
    change_cases(group, OLD)  # the same
    assert group_of(draft) is GroupStatus.SAME_CASES
    change_cases(group)
    assert group_of(draft) is GroupStatus.OLDER_CASES
    page = eve().get(address(draft))
    assert "The group was graded with other cases than version 4 has" in words_of(page)
    assert f'href="/teach/courses/{group.course.slug}/exercises/moving-average/regrade/"' in (
        page.content.decode()
    )


def test_draft_follows_its_group(group):
    draft = begin_for(group)
    change_cases(group)
    eve().post(address(draft), sent(draft, do="prove"))
    leased = leases.lease_proof()
    leases.end_proof(draft=leased, problems=[], fingerprint=REGRADED)
    assert not now(draft).names_group
    Submission.objects.update(fingerprint=REGRADED, exercise_version=Exercise.objects.get().current)
    assert group_of(draft) is GroupStatus.GRADED_AGAIN
    assert "Prove the draft again." in words_of(eve().get(address(draft)))
    eve().post(address(draft), sent(now(draft), do="prove"))
    leased = leases.lease_proof()
    leases.end_proof(draft=leased, problems=[], fingerprint=REGRADED)
    assert now(draft).names_group
    assert "Code of this group will get this name." in words_of(eve().get(address(draft)))


def test_name_of_new_group_opens_its_draft(group):
    draft = begin_for(group)
    change_cases(group)
    Submission.objects.update(fingerprint=REGRADED)
    again = begin_draft(
        exercise=group, fingerprint=REGRADED, fields=VariantFields(), by=draft.edited_by
    )
    assert (again, again.fingerprint) == (draft, REGRADED)
    assert group_of(draft) is GroupStatus.SAME_CASES


def test_group_that_got_a_name_is_gone(group):
    draft = begin_for(group)
    change_cases(group)
    Submission.objects.update(fingerprint="", known_mistake="swap")
    assert group_of(draft) is GroupStatus.GONE
    assert "No submission has the group’s results any more" in words_of(eve().get(address(draft)))


@pytest.mark.parametrize("noted", ["neither", "the version", "the group's version"])
def test_unknown_cases_claim_nothing(noted, group):
    """One of them is older than the digest: only grading the group again can tell."""
    draft = begin_for(group)
    if noted != "the group's version":
        ExerciseVersion.objects.update(outline={})
    change_cases(group, NEW if noted == "the version" else "")
    eve().post(address(draft), sent(draft, do="prove"))
    leases.end_proof(draft=leases.lease_proof(), problems=[], fingerprint=REGRADED)
    assert group_of(draft) is GroupStatus.UNKNOWN
    page = eve().get(address(draft))
    assert "Nobody knows yet whether this code makes the group’s mistake" in words_of(page)
    assert "/regrade/" in page.content.decode()
    for claim in ("no longer gives", "graded with other cases", "has been graded again"):
        assert claim not in words_of(page)
    Submission.objects.update(fingerprint=REGRADED)
    assert group_of(draft) is GroupStatus.GRADED_AGAIN
    eve().post(address(draft), sent(now(draft), do="prove"))
    leases.end_proof(draft=leases.lease_proof(), problems=[], fingerprint=REGRADED)
    assert now(draft).names_group


@pytest.mark.parametrize(
    ("facts", "status", "words"),
    [
        ({"fingerprint": PRINT}, DraftStatus.NOT_COMPARED, "Grade earlier submissions again"),
        ({"known_mistake": "return_x"}, DraftStatus.NAMING, "names this mistake."),
        ({"fingerprint": NEW + "e" * 24}, DraftStatus.OTHER_RESULTS, "does not name the group’s"),
        ({"known_mistake": "swap"}, DraftStatus.OTHER_RESULTS, "does not name the group’s"),
    ],
)
def test_regrade_tells_what_a_file_names(facts, status, words, group):
    """It was published after the cases had changed, so nothing was known of its group."""
    draft = begin_for(group)
    reach_not_compared(draft)
    version = Exercise.objects.get().current
    if facts != {"fingerprint": PRINT}:
        facts = {"fingerprint": "", "exercise_version": version, **facts}
    Submission.objects.update(**facts)
    assert status_of(now(draft)) is status
    assert words in words_of(eve().get(address(draft)))


def test_group_graded_before_publishing_is_compared(group):
    draft = begin_for(group)
    publish_it(draft)
    Submission.objects.update(fingerprint=REGRADED)
    publishing.accept(
        version=publishing.lease_unverified(),
        seed=1,
        data=b"",
        outline={"identify": NEW},
        fingerprints={"return_x": REGRADED},
    )
    assert status_of(now(draft)) is DraftStatus.NAMING


def test_draft_leaves_no_group_of_its_cases(group):
    """Two runs of the same code may give other fingerprints: the rest of the group stays."""
    draft = begin_for(group)
    other = PRINT[:8] + "e" * 24
    Submission.objects.filter(pk=draft.sample_id).update(fingerprint=other)
    eve().post(address(draft), sent(draft))
    assert now(draft).fingerprint == PRINT
    again = begin_draft(
        exercise=group, fingerprint=other, fields=VariantFields(), by=draft.edited_by
    )
    assert (again.fingerprint, again == draft) == (other, False)


def test_draft_stays_where_its_group_has_another(group):
    draft = begin_for(group)
    change_cases(group)
    other = begin_draft(
        exercise=group, fingerprint=REGRADED, fields=VariantFields(), by=draft.edited_by
    )
    Submission.objects.update(fingerprint=REGRADED)
    assert eve().post(address(draft), sent(draft)).status_code == 302
    assert (now(draft).fingerprint, now(other).fingerprint) == (PRINT, REGRADED)
