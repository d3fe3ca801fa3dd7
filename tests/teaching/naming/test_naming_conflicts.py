"""Two editors, a load, a refusal: nothing typed is lost, nothing published is overwritten."""

import re

import pytest
from django.utils import timezone

from quizzes.courses.models import AuditEntry
from quizzes.exercises import publishing
from quizzes.exercises.models import Exercise, ExerciseVersion, MistakeDraft, Submission
from quizzes.exercises.naming.drafts import begin_draft, fields_in
from quizzes.exercises.naming.variant_file import VariantFields
from quizzes.exercises.proofs import leases
from quizzes.grader.definitions import read_definition
from quizzes.learners.models import User
from quizzes.study.data_erasure import erase
from tests.courses import SLUG
from tests.factories import (
    browser_of,
    create_browser,
)
from tests.teaching.naming.drafts import (
    CODE,
    PRINT,
    WEEK,
    accept_next,
    add_version,
    address,
    begin,
    discard,
    now,
    prove,
    publish,
    sent,
    staff,
    words_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.mark.parametrize(
    ("meanwhile", "words"),
    [
        (lambda first, draft: first.post(address(draft), sent(draft, do="prove")), "their text"),
        (publish, "This draft has been published"),
        (discard, "Somebody has discarded this draft."),
        (lambda *_: Exercise.objects.update(withdrawn_at=timezone.now()), "is withdrawn"),
    ],
    ids=["waiting", "published", "discarded", "withdrawn"],
)
@pytest.mark.parametrize("button", ["save", "prove"])
def test_text_typed_too_late_is_shown(button, meanwhile, words, draft):
    meanwhile(browser_of(User.objects.get(username="eve")), draft)
    late = sent(draft, does="You MY TEXT.", code=CODE + "# mine\n", do=button)
    answer = create_browser("bob", role="editor").post(address(draft), late)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Not saved." in page
    assert words in words_of(answer)
    assert ">You MY TEXT.</textarea>" in page
    assert "# mine" in page
    assert "data-dirty" in page


def withdraw(exercise):
    Exercise.objects.update(withdrawn_at=timezone.now())


def refuse_current(exercise):
    ExerciseVersion.objects.update(verification="refused")


def forget_current(exercise):
    Exercise.objects.update(current=None)


@pytest.mark.parametrize("meanwhile", [withdraw, refuse_current, forget_current])
def test_refused_page_keeps_what_was_chosen(meanwhile, draft, exercise):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft))
    meanwhile(exercise)
    typed = sent(now(draft), breaks="1", step="basics/the-mean", code=CODE + "y = 1\n")
    for answer, values in [
        (browser.post(address(draft), typed), ("1", "basics/the-mean")),
        (browser.get(address(draft)), ("2", "basics/code-it")),
        (browser.post(address(draft), {**typed, "step": "basics/gone"}), ("1", "basics/gone")),
    ]:
        chosen = re.findall(r'<option value="([^"]*)" selected>', answer.content.decode())
        assert tuple(chosen) == values


@pytest.mark.parametrize(
    ("meanwhile", "words"),
    [(withdraw, "is withdrawn."), (refuse_current, "No version of this exercise is verified yet.")],
)
def test_blocked_draft_offers_no_publishing(meanwhile, words, draft, exercise):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    assert "Publish a new version" in words_of(browser.get(address(draft)))
    meanwhile(exercise)
    page = words_of(browser.get(address(draft)))
    assert "Publish a new version" not in page
    assert words in page


def test_browser_keeps_what_is_typed(draft):
    browser = browser_of(User.objects.get(username="eve"))
    page = browser.get(address(draft)).content.decode()
    name = f"mistake/{SLUG}/moving-average/{draft.pk}"
    assert f'data-keep="{name}"' in page
    assert 'name="opened_by"' in page
    assert "teaching/unsaved.js" in page
    for button in ("save", "prove"):
        answer = browser.post(address(draft), sent(now(draft), do=button), follow=True)
        assert f'data-saved="{name}"' in answer.content.decode()


def test_no_draft_takes_a_name(draft, exercise):
    eve = User.objects.get(username="eve")
    browser, fields = browser_of(eve), VariantFields(code=CODE)
    other = begin_draft(exercise=exercise, fingerprint="b" * 32, fields=fields, by=eve)
    browser.post(address(draft), sent(draft))
    browser.post(address(other), sent(other, code=CODE + "y = 1\n"))
    assert (now(draft).path, now(other).path) == ("wrong/return_x.py", "wrong/return_x_2.py")
    other = now(draft).text.replace("You return x.", "You return x itself.")
    add_version(exercise, **{now(draft).path: other})
    accept_next()
    MistakeDraft.objects.filter(pk=draft.pk).update(state="proved")
    answer = browser.post(address(draft), {"do": "publish", "mark": now(draft).mark}, follow=True)
    assert "Prove it again." in words_of(answer)
    browser.post(address(draft), sent(now(draft), do="prove"))
    assert now(draft).path == "wrong/return_x_3.py"


def test_waiting_version_is_not_replaced(draft, exercise):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    add_version(exercise, **{"starter.py": "LOADED = 1\n"})
    page = words_of(browser.get(address(draft)))
    assert "Prove the draft again after it." in page
    assert "Publish a new version" not in page
    answer = browser.post(address(draft), {"do": "publish", "mark": now(draft).mark}, follow=True)
    assert "A newer version is being verified." in words_of(answer)
    accept_next()
    assert Exercise.objects.get().current.files["starter.py"] == "LOADED = 1\n"
    assert exercise.versions.count() == 2


def week_says(browser):
    page = words_of(browser.get(WEEK))
    return [
        words
        for words in (
            "names this mistake.",
            "is being verified.",
            "once they are graded again.",
            "Name it",
            "Open the draft",
        )
        if words in page
    ]


def test_week_says_who_names_a_group(students, exercise):
    browser = staff("ida", "instructor", "editor")
    begin(browser)
    draft = MistakeDraft.objects.get()
    publish(browser, draft)
    assert week_says(browser) == ["is being verified."]
    publishing.refuse(version=publishing.lease_unverified(), problems=["it is slow"])
    assert now(draft).published is None
    assert "it is slow" in words_of(browser.get(address(draft)))
    assert week_says(browser) == ["Open the draft"]
    publish(browser, now(draft))
    accept_next()
    assert week_says(browser) == ["names this mistake."]
    MistakeDraft.objects.update(names_group=False)
    assert week_says(browser) == ["once they are graded again."]
    ExerciseVersion.objects.update(outline={"identify": PRINT[:8]})
    assert week_says(browser) == ["Name it"]
    MistakeDraft.objects.update(names_group=True)
    exercise.refresh_from_db()
    files = {name: text for name, text in exercise.current.files.items() if "return_x" not in name}
    definition = read_definition(exercise.slug, files)
    publishing.add_version(exercise=exercise, definition=definition, files=files)
    assert week_says(browser) == ["Name it"]
    assert "Learners no longer get this file:" in words_of(browser.get(address(draft)))


def test_refused_version_leaves_another_draft(draft, exercise):
    browser = browser_of(User.objects.get(username="eve"))
    publish(browser, draft)
    begin_draft(
        exercise=exercise,
        fingerprint=PRINT,
        fields=VariantFields(code=CODE),
        by=User.objects.get(username="eve"),
    )
    publishing.refuse(version=publishing.lease_unverified(), problems=["it is slow"])
    assert MistakeDraft.objects.filter(published=None).count() == 1


def test_older_proof_writes_nothing(draft):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    old = leases.lease_proof()
    browser.post(address(draft), {"do": "stop"})
    browser.post(address(draft), sent(now(draft), code=CODE + "y = 1\n", do="prove"))
    assert leases.lease_proof() == draft
    leases.end_proof(draft=old, problems=["of the old text"], fingerprint=PRINT)
    assert (now(draft).state, now(draft).problems) == ("waiting", [])


def test_save_shows_faults_too(draft):
    browser = browser_of(User.objects.get(username="eve"))
    answer = browser.post(address(draft), sent(draft, does="It returns."))
    assert "Saved, not proved: 1 field to fix first." in words_of(answer)
    assert fields_in(now(draft)).does == "It returns."


@pytest.mark.parametrize("code", [CODE + "\0", "x = 1\n" * 20_000], ids=["null", "long"])
def test_what_cannot_be_stored_is_not_saved(code, draft):
    browser = browser_of(User.objects.get(username="eve"))
    answer = browser.post(address(draft), sent(draft, code=code))
    assert "Not saved: 1 field to fix first." in words_of(answer)
    assert now(draft).files == draft.files


def test_code_that_cannot_be_taken_over(students):
    Submission.objects.update(code="x = 0x" + "f" * 5000)
    browser = staff("ida", "instructor", "editor")
    answer = browser.get(begin(browser)["Location"])
    assert "could not be taken over" in words_of(answer)
    assert fields_in(MistakeDraft.objects.get()).code.strip() == ""


def test_words_to_read_stand_above_the_tick(draft):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, code=CODE + "import grace_lib  # by Ada\n"))
    page = words_of(browser.get(address(draft)))
    assert "Does one of them say who wrote it? # by Ada , grace_lib I have read the code" in page


def test_patch_keeps_form_feeds(draft):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(
        address(draft), sent(draft, code="def moving_average(x, width):\n\x0c    return x\n")
    )
    patch = browser.get(address(draft, "patch/")).content.decode()
    assert "\n+\x0c    return x\n" in patch


def test_erased_author_takes_the_draft_along(students):
    browser = staff("ida", "instructor", "editor")
    begin(browser)
    sample = MistakeDraft.objects.get().sample
    erase(learner=sample.learner, user=sample.learner.user)
    assert not MistakeDraft.objects.exists()


def test_log_says_who_named_what(draft):
    browser = browser_of(User.objects.get(username="eve"))
    discard(browser, draft)
    acts = AuditEntry.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts)[-2:] == [
        "began to name a mistake of",
        "discarded the draft of a known mistake of",
    ]
