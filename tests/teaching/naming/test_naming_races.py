"""PostgreSQL: editors who press a button in the same moment; one wins, the others are refused.

SQLite has one writer at a time, so there is no such moment.
"""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from quizzes.exercises.models import MistakeDraft, Submission
from quizzes.exercises.naming import drafts
from quizzes.exercises.naming.variant_file import VariantFields
from quizzes.learners.models import User
from tests.databases import on_postgresql
from tests.factories import browser_of, create_account, create_class, create_member
from tests.teaching.naming.drafts import CODE, PRINT, add_group, address, now, prove, sent

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not on_postgresql(), reason="SQLite has one writer at a time"),
]
EDITORS = 8


def at_once(act):
    """Have each editor act in a thread of their own; count the results by class."""
    editors = [create_account(f"editor{number}", role="editor") for number in range(EDITORS)]
    everybody = threading.Barrier(EDITORS)

    def run(editor):
        everybody.wait(30)
        try:
            return type(act(editor)).__name__
        except (drafts.DraftChangedError, drafts.DraftRefusedError) as error:
            return type(error).__name__
        finally:
            connection.close()

    with ThreadPoolExecutor(EDITORS) as pool:
        return Counter(pool.map(run, editors))


def test_one_draft_of_a_group_is_begun(exercise):
    fields = VariantFields(code=CODE)
    results = at_once(
        lambda editor: drafts.begin_draft(
            exercise=exercise, fingerprint=PRINT, fields=fields, by=editor
        )
    )
    assert results == {"MistakeDraft": EDITORS}
    assert MistakeDraft.objects.count() == 1


def test_one_of_many_texts_is_saved(draft):
    results = at_once(
        lambda editor: drafts.save_draft(
            draft=now(draft),
            fields=VariantFields(does=f"You are {editor.username}.", code=CODE),
            mark=draft.mark,
            by=editor,
        )
    )
    assert results == {"MistakeDraft": 1, "DraftChangedError": EDITORS - 1}


def test_one_of_many_drafts_follows_a_group(exercise):
    """Groups that were graded again by other cases may have become one."""
    begun_by = create_account("eve", role="editor")
    cohort = create_class()
    members = [create_member(cohort, f"student{number}") for number in range(EDITORS)]
    rows = []
    for number, member in enumerate(members):
        known = f"{number:032x}"
        add_group(exercise, [member], fingerprint=known)
        rows.append(
            drafts.begin_draft(
                exercise=exercise,
                fingerprint=known,
                fields=VariantFields(code=CODE),
                by=begun_by,
                sample=Submission.objects.get(fingerprint=known),
            )
        )
    Submission.objects.update(fingerprint=PRINT)
    waiting = iter(rows)
    results = at_once(
        lambda editor: drafts.save_draft(
            draft=(row := next(waiting)),
            fields=VariantFields(does=f"You are {editor.username}.", code=CODE),
            mark=row.mark,
            by=editor,
        )
    )
    assert results == {"MistakeDraft": EDITORS}
    assert MistakeDraft.objects.filter(fingerprint=PRINT).count() == 1


def test_one_version_is_published(draft, exercise):
    browser = browser_of(User.objects.get(username="eve"))
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    mark = now(draft).mark
    results = at_once(lambda editor: drafts.publish_draft(draft=now(draft), mark=mark, by=editor))
    assert results == {"ExerciseVersion": 1, "DraftRefusedError": EDITORS - 1}
    assert exercise.versions.count() == 2
