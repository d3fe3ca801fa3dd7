"""How people join a class: by its link, by a personal link, by an address they verified."""

from collections.abc import Iterable, Sequence

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from quizzes.classes.join_codes import hash_of, read_code
from quizzes.classes.models import Cohort, LinkMail, Membership
from quizzes.classes.names import fold_email, fold_name, name_of
from quizzes.learners.models import Learner, User

Role, State = Membership.Role, Membership.State


class JoinError(Exception):
    """This account cannot join; the message is for its owner."""


REMOVED = "You were removed from this class. An instructor can let you back in."
GONE = "This invitation has already been used or replaced. Ask your instructor for a new one."


def class_of_code(typed: str) -> Cohort | None:
    """Return the class of a code as somebody typed it, open or not."""
    code = read_code(typed)
    return Cohort.objects.filter(join_code=code).select_related("course").first() if code else None


def invitation(token: str) -> Membership | None:
    """Return the place that a personal link holds, until it is taken or the link ends."""
    return _places_of(token).filter(invite_ends_at__gt=timezone.now()).first()


def ended_invitation(token: str) -> Membership | None:
    """Return the place of a personal link that would lead to it if the link had not ended."""
    return _places_of(token).filter(invite_ends_at__lte=timezone.now()).first()


def _places_of(token: str) -> QuerySet[Membership]:
    rows = Membership.objects.filter(state=State.INVITED, cohort__archived_at=None)
    return rows.filter(invite_token=hash_of(token)).select_related("cohort__course")


@transaction.atomic
def join(*, cohort: Cohort, user: User) -> Membership:
    """Join a class with its link; repeating it changes nothing. Raises JoinError.

    An account whose verified address was invited takes that place. Where the equal address is not
    verified, the account gets a place of its own without address: somebody else may have typed it.
    """
    held = _hold(cohort)
    place = Membership.objects.filter(cohort=held, user=user).first()
    if place is None and (not held.join_open or held.archived_at):
        raise JoinError("The join link for this class is closed. Ask your instructor.")
    if place is not None:
        return _returned(place)
    claimed = _invited_by_verified_address(held, user)
    return _take(claimed, user) if claimed else _new_place(held, user)


@transaction.atomic
def accept(*, token: str, user: User) -> Membership:
    """Take the place of a personal link. Raises JoinError."""
    found = invitation(token)
    if found is None:
        raise JoinError(GONE)
    held = _hold(found.cohort)
    place = Membership.objects.filter(pk=found.pk, state=State.INVITED).first()
    if place is None or place.invite_token != hash_of(token):
        raise JoinError(GONE)
    mine = Membership.objects.filter(cohort=held, user=user).first()
    if mine is not None:
        raise JoinError(
            REMOVED if mine.state == State.REMOVED else "You are already in this class."
        )
    return _take(place, user)


@transaction.atomic
def claim_verified(*, user: User) -> list[Membership]:
    """Take every place that was kept for an address which this account has verified."""
    places = Membership.objects.filter(
        state=State.INVITED, email__in=_verified(user), cohort__archived_at=None
    )
    taken = []
    for cohort in Cohort.objects.filter(memberships__in=places).distinct().order_by("pk"):
        held = _hold(cohort)
        if Membership.objects.filter(cohort=held, user=user).exists():
            continue  # the roster asks whether both are the same person
        if (place := _invited_by_verified_address(held, user)) is not None:
            taken.append(_take(place, user))
    return taken


def claim_on_confirmation(*, email_address: EmailAddress, **_: object) -> None:
    """Receive `email_confirmed`."""
    if isinstance(email_address.user, User):
        claim_verified(user=email_address.user)


def has_invited(addresses: Sequence[str]) -> bool:
    """Say whether a roster keeps a place for one of these addresses."""
    places = Membership.objects.filter(state=State.INVITED, cohort__archived_at=None)
    folded = [fold_email(address) for address in addresses]
    return bool(folded) and places.filter(email__in=folded).exists()


def _hold(cohort: Cohort) -> Cohort:
    return Cohort.objects.select_for_update(of=("self",)).select_related("course").get(pk=cohort.pk)


def _returned(place: Membership) -> Membership:
    if place.state == State.REMOVED:
        raise JoinError(REMOVED)
    return place


def _verified(user: User) -> list[str]:
    rows = EmailAddress.objects.filter(user=user, verified=True)
    return [fold_email(address) for address in rows.values_list("email", flat=True)]


def _invited_by_verified_address(cohort: Cohort, user: User) -> Membership | None:
    rows = Membership.objects.filter(cohort=cohort, state=State.INVITED)
    return rows.filter(email__in=_verified(user)).order_by("pk").first()


def _take(place: Membership, user: User) -> Membership:
    place.user, place.state, place.invite_token = user, State.ACTIVE, ""
    place.joined_at, place.invite_ends_at = timezone.now(), None
    place.save()
    LinkMail.objects.filter(membership=place).delete()
    Learner.objects.get_or_create(user=user)
    return place


def _new_place(cohort: Cohort, user: User) -> Membership:
    Learner.objects.get_or_create(user=user)
    return Membership.objects.create(
        cohort=cohort,
        user=user,
        name=name_of(user),
        email=_free_address(cohort, user),
        state=State.ACTIVE,
        joined_at=timezone.now(),
    )


def _free_address(cohort: Cohort, user: User) -> str:
    """Return a verified address of the account that stands in nobody's row, "" for none."""
    held = set(
        Membership.objects.filter(cohort=cohort, email__in=_verified(user)).values_list(
            "email", flat=True
        )
    )
    return next((address for address in _verified(user) if address not in held), "")


def same_person(rows: list[Membership]) -> dict[int, Membership]:
    """Return, by the key of an invited row, the joined one that may be the same person.

    They have the same address, which the account never verified, or the same name.
    """
    by_key = joined_by_key(rows)
    invited = [row for row in rows if row.state == State.INVITED]
    alike = {row.pk: by_key.get(row.email) or by_key.get(row.name.casefold()) for row in invited}
    return {pk: other for pk, other in alike.items() if other is not None}


def joined_by_key(rows: Iterable[Membership]) -> dict[str, Membership]:
    """Return the members who came without a roster row, by the account's address and each name."""
    joined = [row for row in rows if row.state == State.ACTIVE and row.user and not row.email]
    by_key: dict[str, Membership] = {}
    for other in joined:
        assert other.user is not None
        names = (other.name, other.user.get_full_name())
        for key in (fold_email(other.user.email), *(fold_name(one).casefold() for one in names)):
            by_key.setdefault(key, other)
    by_key.pop("", None)
    return by_key
