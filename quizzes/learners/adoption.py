"""An account adopts what its owner did before signing up or signing in."""

from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.http import HttpRequest

from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.progress import record_progress
from quizzes.learners.recognition import cookie_learner, forget_cookie

# Sent inside the transaction, before the rows of `source` are pointed at `target`: whoever has rows
# that only one of a learner may have (an open attempt, a draft) settles the clash here.
learners_merging = Signal()


@transaction.atomic
def adopt(*, learner: Learner, user: User) -> Learner:
    """Give `user` all that `learner` did and return the account's learner. Repeating it is safe.

    A learner that already belongs to an account is left alone.
    """
    User.objects.select_for_update().get(pk=user.pk)  # two sign-ins of one account, one at a time
    own = Learner.objects.select_for_update().filter(user=user).first()
    source = Learner.objects.select_for_update().filter(pk=learner.pk, user=None).first()
    if source is None:
        return own or Learner.objects.create(user=user)
    if own is None:
        source.user = user
        source.save(update_fields=["user"])
        return source
    _merge(source, own)
    return own


def _merge(source: Learner, target: Learner) -> None:
    learners_merging.send(Learner, source=source, target=target)
    for row in source.progress.all():
        record_progress(learner=target, kind=row.kind, slug=row.slug, state=row.state)
    source.progress.all().delete()
    for relation in Learner._meta.related_objects:
        if relation.related_model is not Progress:
            rows: Any = relation.related_model._base_manager
            rows.filter(**{relation.field.name: source}).update(**{relation.field.name: target})
    source.delete()


def adopt_on_sign_in(*, request: HttpRequest, user: User, **_: object) -> None:
    """Receive `user_logged_in`, which follows sign-up as well as sign-in."""
    learner = cookie_learner(request)
    if learner is not None:
        adopt(learner=learner, user=user)
        forget_cookie(request)
