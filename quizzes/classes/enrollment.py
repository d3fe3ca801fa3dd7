"""How people join a class: by its link, by a personal link, by what the roster knows of them.

That is an address which the account has verified, or for which the provider of a sign-in vouches;
or a login, of a provider whose logins the operator trusts. A login counts only in a sign-in of this
moment and exactly as it is: a provider may give it to somebody else later, and two logins that look
alike are two people. Where the roster leaves a doubt, nobody gets the place, and staff decide.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from quizzes.classes.join_codes import hash_of, read_code
from quizzes.classes.models import Cohort, LinkMail, Membership
from quizzes.classes.names import fold_email, fold_key, fold_name, name_of
from quizzes.learners.models import Learner, User
from quizzes.learners.sign_on.identities import addresses_of, logins_of

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
    """Return the place that a personal link holds, until it is taken or the link ends.

    One without an end was created by version 0.3.0 after this schema: somebody went back to it.
    """
    is_open = Q(invite_ends_at=None) | Q(invite_ends_at__gt=timezone.now())
    return _places_of(token).filter(is_open).first()


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
    claimed = _invited_by_address(held, _verified(user))
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


def claim_places(*, user: User, addresses: Sequence[str] = (), login: str = "") -> list[Membership]:
    """Take every place that a roster keeps for this account; one in each class.

    An address counts that the account has verified; so do these addresses, unless another account
    has verified them, and this login: a trusted provider vouches for them just now.
    """
    lowered = {address.lower() for address in addresses}  # not folded: it could become another's
    own = {*_verified(user), *(lowered - _verified_by_others(user, lowered))}
    cohorts = Cohort.objects.filter(memberships__in=_kept_places(own, login))
    # Without a lock at each sign-in where the roster asks whether two rows are the same person.
    cohorts = cohorts.exclude(pk__in=Membership.objects.filter(user=user).values("cohort"))
    taken = [_claim(cohort, user, own, login) for cohort in cohorts.distinct().order_by("pk")]
    return [place for place in taken if place is not None]


@transaction.atomic
def _claim(cohort: Cohort, user: User, addresses: Collection[str], login: str) -> Membership | None:
    held = _hold(cohort)
    if held.archived_at or Membership.objects.filter(cohort=held, user=user).exists():
        return None  # the roster asks whether both are the same person
    place = _invited_by_address(held, addresses) or _invited_by_login(held, user, login)
    return _take(place, user) if place is not None else None


def _kept_places(addresses: Collection[str], login: str) -> QuerySet[Membership]:
    """Return the places that may be kept for somebody with these addresses and this login."""
    known = Q(email__in=addresses)
    if login:
        known |= Q(login_id=login)
    return Membership.objects.filter(known, state=State.INVITED, cohort__archived_at=None)


def has_invited(addresses: Sequence[str], login: str = "") -> bool:
    """Say whether a roster keeps a place for one of these addresses or for this login."""
    return _kept_places([address.lower() for address in addresses], login).exists()


def _hold(cohort: Cohort) -> Cohort:
    return Cohort.objects.select_for_update(of=("self",)).select_related("course").get(pk=cohort.pk)


def _returned(place: Membership) -> Membership:
    if place.state == State.REMOVED:
        raise JoinError(REMOVED)
    return place


def _verified(user: User) -> list[str]:
    rows = EmailAddress.objects.filter(user=user, verified=True)
    return [fold_email(address) for address in rows.values_list("email", flat=True)]


def _verified_by_others(user: User, addresses: Iterable[str]) -> set[str]:
    rows = EmailAddress.objects.filter(email__in=addresses, verified=True).exclude(user=user)
    return {fold_email(address) for address in rows.values_list("email", flat=True)}


def _invited_by_address(cohort: Cohort, addresses: Collection[str]) -> Membership | None:
    return _kept_places(addresses, "").filter(cohort=cohort).order_by("pk").first()


def _invited_by_login(cohort: Cohort, user: User, login: str) -> Membership | None:
    """Return the place with this login, if no other member or invited person of the class has it.

    An address beside it that another account has verified leaves a doubt.
    """
    if not login:
        return None
    rows = Membership.objects.filter(cohort=cohort, login_id=login)[:2]
    place = rows[0] if len(rows) == 1 else None
    if place is None or place.state != State.INVITED or _verified_by_others(user, [place.email]):
        return None
    return place


def _take(place: Membership, user: User) -> Membership:
    place.user, place.state, place.invite_token = user, State.ACTIVE, ""
    place.joined_at, place.invite_ends_at = timezone.now(), None
    place.save()
    user.forget_roles()
    LinkMail.objects.filter(membership=place).delete()
    Learner.objects.get_or_create(user=user)
    return place


def _new_place(cohort: Cohort, user: User) -> Membership:
    Learner.objects.get_or_create(user=user)
    user.forget_roles()
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

    They have the same address, which the account may have verified or only typed, or which a
    trusted provider gave; the same login at a trusted provider; or the same name. Three queries at
    most.
    """
    invited = [row for row in rows if row.state == State.INVITED]
    if not invited:
        return {}
    joined = joined_members(rows)
    alike = {row.pk: joined.like(row) for row in invited}
    return {pk: other for pk, other in alike.items() if other is not None}


class RosterFacts(Protocol):
    """What a roster says of a person, in a line or in a row."""

    @property
    def email(self) -> str: ...
    @property
    def login_id(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class JoinedMembers:
    """The members who have joined a class, by what they may share with an invited person."""

    by_proof: Mapping[str, Membership] = field(default_factory=dict)
    by_account: Mapping[str, Membership] = field(default_factory=dict)

    def like(self, person: RosterFacts) -> Membership | None:
        """Return the member who may be this person, by proof if possible."""
        return (
            self.by_proof.get(person.email)
            or self.by_proof.get(person.login_id)
            or self.by_account.get(person.email)
            or self.by_account.get(person.name.casefold())
        )

    def among(self, rows: Collection[Membership]) -> "JoinedMembers":
        """Return those among these rows: a namesake with a line of their own hides nobody."""
        keys = {row.pk for row in rows}
        by_proof = {key: row for key, row in self.by_proof.items() if row.pk in keys}
        return JoinedMembers(by_proof, _joined_by_account(rows))


def joined_members(rows: Collection[Membership]) -> JoinedMembers:
    """Return the joined members among these of a class. Three queries at most."""
    return JoinedMembers(_joined_by_proof(rows), _joined_by_account(rows))


def _joined_by_proof(rows: Iterable[Membership]) -> dict[str, Membership]:
    """Return the members of a class by the addresses and the logins of their accounts.

    An account has verified them, or a trusted provider gave them.
    """
    joined = {row.user_id: row for row in rows if row.state == State.ACTIVE and row.user_id}
    cohorts = {row.cohort_id for row in joined.values()}
    users = User.objects.filter(class_memberships__cohort__in=cohorts)
    verified = EmailAddress.objects.filter(user__in=users, verified=True)
    addresses = [*addresses_of(users), *verified.values_list("user_id", "email")]
    pairs = [(user, fold_email(address)) for user, address in addresses]
    pairs += [(user, fold_key(login)) for user, login in logins_of(users).items()]
    return {key: joined[user] for user, key in pairs if key and user in joined}


def _joined_by_account(rows: Iterable[Membership]) -> dict[str, Membership]:
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
