"""Marks that outlive a person: written down before the work is cut off, whoever cuts it."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from quizzes.classes.marks.frozen_marks import forget_old_marks
from quizzes.classes.marks.reader import marks
from quizzes.classes.messages import comment_on
from quizzes.classes.models import Cohort, Comment, FrozenMarks, Membership
from quizzes.classes.services import remove_member, restore_member
from quizzes.courses.models import AuditEntry
from quizzes.learners.models import Learner, User
from quizzes.study.data_erasure import erase
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    browser_of,
    create_attempt,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

PERSONAL = (
    "name",
    "given_name",
    "family_name",
    "email",
    "external_id",
    "login_id",
    "section",
)


@pytest.fixture
def ada(cohort):
    """A student with work in a quiz and an exercise, and a lesson untouched."""
    member = create_member(
        cohort, "ada", external_id="007", section="Mon", given_name="A", family_name="Da"
    )
    at = timezone.now() - 2 * DAY
    create_attempt(assign(cohort, create_quiz()), member, 1, at)
    assignment = assign(cohort, ready_exercise())
    submission = create_submission(assignment, member, "correct", at, 5, 5)
    assign(cohort, create_lesson(), closes_at=timezone.now() - DAY)
    comment_on(
        submission=submission,
        cohort=cohort,
        by=create_member(cohort, "ida", "instructor").user,
        text="Good.",
    )
    return member


def values(cohort):
    return {
        one.membership.pk: [(cell.value, cell.state) for _, _, cell in one.cells]
        for one in marks(cohort).members
    }


def erased(user):
    erase(learner=Learner.objects.filter(user=user).first(), user=user)


def deleted(user):
    user.delete()


def deleted_in_a_list(user):
    User.objects.filter(pk=user.pk).delete()


def deleted_with_its_learner(user):
    Learner.objects.filter(user=user).delete()


@pytest.mark.parametrize("cut", [erased, deleted, deleted_in_a_list, deleted_with_its_learner])
def test_marks_stay_and_nothing_names_the_person(cohort, ada, cut):
    before = values(cohort)
    assert [value for value, _ in before[ada.pk]] == [5, 10, 0]
    cut(ada.user)
    assert values(cohort) == before
    ada.refresh_from_db()
    assert (ada.state, ada.user, ada.label) == ("deleted", None, "deleted person 1")
    held = Membership.objects.filter(pk=ada.pk).values().get()
    assert not any(held[name] for name in PERSONAL)
    assert not Comment.objects.exists()
    assert "Ada" not in str(list(AuditEntry.objects.values()))


def test_the_next_one_gets_the_next_number(cohort, ada):
    bea = create_member(cohort, "bea")
    erased(bea.user)
    erased(ada.user)
    labels = {one.pk: one.label for one in cohort.memberships.filter(state="deleted")}
    assert labels == {bea.pk: "deleted person 1", ada.pk: "deleted person 2"}


def test_the_page_names_the_classes_beforehand(cohort, ada):
    page = browser_of(ada.user).get("/me/data/").content.decode()
    assert "will stay there" in page
    assert "Class autumn" in page
    browser_of(ada.user).get("/me/data/export/")
    eve = User.objects.create_user("eve")
    assert "will stay there" not in browser_of(eve).get("/me/data/").content.decode()


def test_removing_freezes_and_taking_back_computes_again(cohort, ada):
    ida = cohort.memberships.get(user__username="ida").user
    before = values(cohort)
    remove_member(member=ada, by=ida)
    create_attempt(cohort.assignments.get(quiz__isnull=False), ada, 2, timezone.now())
    kept = {one.assignment_id: one.points for one in FrozenMarks.objects.filter(membership=ada)}
    assert sorted(kept.values()) == sorted(value for value, _ in before[ada.pk])
    restore_member(member=ada, by=ida)
    assert not FrozenMarks.objects.exists()
    assert [value for value, _ in values(cohort)[ada.pk]] == [10, 10, 0]


def test_an_account_that_was_only_invited_leaves_nothing(cohort):
    place = Membership.objects.create(cohort=cohort, email="x@u.example")
    user = User.objects.create_user("x")
    erased(user)
    assert Membership.objects.filter(pk=place.pk).exists()  # nobody claimed it


def test_frozen_marks_go_a_year_after_the_class_was_archived(cohort, ada):
    erased(ada.user)
    Cohort.objects.update(archived_at=timezone.now() - timedelta(days=364))
    assert forget_old_marks(after=timedelta(days=365)) == 0
    Cohort.objects.update(archived_at=timezone.now() - timedelta(days=366))
    call_command("forget_old_marks")
    assert not FrozenMarks.objects.exists()
    assert Membership.objects.filter(pk=ada.pk).exists()
