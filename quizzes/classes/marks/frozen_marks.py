"""Marks that are written down before a membership is cut off from its work.

A mark is computed on read from what was submitted. Deleting the account, or removing the person,
would end that, so the marks of the moment are kept as `FrozenMarks`, and `marks` takes them where
they are.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from quizzes.classes.marks.reader import marks_of
from quizzes.classes.models import Cohort, Comment, FrozenMarks, Membership
from quizzes.learners.models import Learner, User

State = Membership.State


def freeze(member: Membership) -> None:
    """Write down the marks of a member in all assignments; those written before stay."""
    if member.role != Membership.Role.STUDENT:
        return
    FrozenMarks.objects.bulk_create(
        [
            FrozenMarks(
                membership=member, assignment=assignment, points=cell.value, state=cell.state.value
            )
            for assignment, _, cell in marks_of(member).cells
            if not cell.is_frozen
        ],
        ignore_conflicts=True,
    )


def forget_old_marks(*, after: timedelta) -> int:
    """Delete frozen marks of deleted people in classes archived that long ago; return a count."""
    old = Cohort.objects.filter(archived_at__lt=timezone.now() - after)
    rows = FrozenMarks.objects.filter(
        membership__cohort__in=old.values("pk"), membership__state=State.DELETED
    )
    return rows.delete()[0]


def classes_of(user: User | None) -> list[Cohort]:
    """Return the classes in which an account has a place, for the page that deletes its data."""
    if user is None:
        return []
    rows = Cohort.objects.filter(memberships__user=user).exclude(memberships__state=State.DELETED)
    return list(rows.distinct())


@transaction.atomic
def cut_off(user: User) -> None:
    """Make every place of an account that of a deleted person, whose marks stay.

    What staff wrote to the person goes with the texts the person wrote.
    """
    places = Membership.objects.filter(user=user).select_related("cohort")
    for cohort in Cohort.objects.filter(memberships__in=places).distinct().order_by("pk"):
        Cohort.objects.select_for_update().get(pk=cohort.pk)
    for place in places:
        _cut_off(place)
    learner = Learner.objects.filter(user=user).first()
    if learner is not None:
        Comment.objects.filter(submission__learner=learner).delete()
        Comment.objects.filter(response__attempt__learner=learner).delete()
        Comment.objects.filter(response__learner=learner).delete()


def _cut_off(place: Membership) -> None:
    if place.joined_at is None:  # nobody came: there is nothing to keep
        place.delete()
        return
    if place.state == State.ACTIVE:
        freeze(place)
    numbers = Membership.objects.filter(cohort=place.cohort_id).aggregate(Max("deleted_number"))
    place.deleted_number = (numbers["deleted_number__max"] or 0) + 1
    place.state, place.user = State.DELETED, None
    place.name = place.given_name = place.family_name = ""
    place.email = place.external_id = place.login_id = ""
    place.section = place.invite_token = ""
    place.extra_time_percent = 0
    place.last_seen_at = place.invite_ends_at = None
    place.save()


def cut_off_before_deletion(*, instance: User, **_: object) -> None:
    """Receive `pre_delete` of an account, wherever it is deleted."""
    cut_off(instance)


def cut_off_before_forgetting(*, instance: Learner, **_: object) -> None:
    """Receive `pre_delete` of a learner: its attempts and submissions go with it."""
    if instance.user_id is not None:
        cut_off(User.objects.get(pk=instance.user_id))
