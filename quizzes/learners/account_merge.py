"""An account adopts the work that its owner did before signing up or signing in."""

from django.db import connection, transaction
from django.db.models import ManyToOneRel, Model
from django.http import HttpRequest

from quizzes.hooks import Hook
from quizzes.learners.identity import cookie_learner, forget_cookie
from quizzes.learners.models import Learner, Progress, User
from quizzes.learners.progress import record_progress
from quizzes.learners.review import settle_review_cards


@Hook
def settle_rows_of_both(source: Learner, target: Learner) -> None:
    """Settle rows of which a learner can have only one, such as an open attempt.

    Called inside the transaction, before the rows of `source` are pointed at `target`.
    """


def hold_learner(*, pk: int) -> None:
    """Let no adoption of this learner begin until the transaction under way ends.

    SQLite has one writer at a time anyway.
    """
    if connection.features.has_select_for_update:
        Learner.objects.select_for_update(no_key=True).filter(pk=pk).values_list("pk").first()


@transaction.atomic
def adopt(*, learner: Learner, user: User) -> Learner:
    """Give `user` all work of `learner` and return the account's learner. Repeating it is safe.

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
    settle_rows_of_both(source, target)
    settle_review_cards(source=source, target=target)
    for row in source.progress.all():
        record_progress(
            row.course_id,
            learner=target,
            kind=row.kind,
            slug=row.slug,
            state=row.state,
            at=row.updated_at,  # what was done long ago is not the thing just done
            done_at=row.done_at,
        )
    source.progress.all().delete()
    for model, field in columns_naming_learners():
        if model is not Progress:
            model._base_manager.filter(**{field: source}).update(**{field: target})
    source.delete()


def columns_naming_learners() -> list[tuple[type[Model], str]]:
    """Return every foreign key to a learner on the site, also those without a reverse name."""
    return [
        (relation.related_model, relation.field.name)
        for relation in Learner._meta.get_fields(include_hidden=True)
        if isinstance(relation, ManyToOneRel)
    ]


def adopt_on_sign_in(*, request: HttpRequest, user: User, **_: object) -> None:
    """Receive `user_logged_in`, which follows both sign-up and sign-in."""
    learner = cookie_learner(request)
    if learner is not None:
        adopt(learner=learner, user=user)
        forget_cookie(request)
