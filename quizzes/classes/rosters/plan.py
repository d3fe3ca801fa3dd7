"""A roster against a class: what it would change, and the change, all of it or nothing.

A line is somebody of the class if its address, its id or its login is theirs. Where a login is the
first part of exactly one address (jdoe, jdoe@uni.example), that is the person too. Where the keys
of a line lead to several people, a person must decide: the line is refused. An empty cell says
nothing, so it takes nothing away.

Somebody who joined by the link may have no key on the roster. Files name them by their account, so
a line with the account's login and nothing that contradicts it is theirs. But nobody proved that
account, and everybody chooses their own login: what such a line changes is done only after a person
said that they are the same.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from django.db import transaction

from quizzes.classes.enrollment import JoinedMembers, joined_members
from quizzes.classes.log import record_for_class
from quizzes.classes.models import Cohort, Membership
from quizzes.classes.names import fold_email, fold_key
from quizzes.classes.rosters.columns import KEYS
from quizzes.classes.rosters.identity import Identity, identities_among
from quizzes.classes.rosters.reader import RosterFault, RosterFile, RosterLine
from quizzes.classes.services import ends_link, remove_member
from quizzes.learners.models import User

State, Role = Membership.State, Membership.Role
COPIED = ("email", "external_id", "login_id", "section", "role")
NAMES = ("name", "given_name", "family_name")


class RosterError(Exception):
    """The roster cannot be applied; the message says why."""


@dataclass(frozen=True)
class Change:
    """What one line changes about one person of the class."""

    line: int
    member: Membership
    person: RosterLine
    identity: Identity
    words: tuple[str, ...]  # "section: A becomes B"
    by_account: bool = False  # nothing on the roster says that this line is the member


@dataclass
class Plan:
    """What a roster would do to a class. With a refused line it does nothing."""

    added: list[RosterLine] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    unchanged: list[Change] = field(default_factory=list)
    refused: list[RosterFault] = field(default_factory=list)
    missing: list[Membership] = field(default_factory=list)
    doubtful: list[tuple[Membership, int]] = field(default_factory=list)  # may be of this line

    @property
    def by_account(self) -> list[Change]:
        """Return the changes of people who are known by their unproved account alone."""
        return [change for change in self.changed if change.by_account]

    @property
    def refused_lines(self) -> int:
        """Count the refused lines; one of them may have several faults."""
        return len({refusal.line for refusal in self.refused})

    @property
    def digest(self) -> str:
        """Return a mark of this plan: another one, if the class changed meanwhile."""
        said = [
            *(f"+{one}" for one in self.added),
            *(f"~{one.member.pk} {one.words} {one.by_account}" for one in self.changed),
            *(f"={one.member.pk}" for one in self.unchanged),
            *(f"!{one}" for one in self.refused),
            *(f"-{one.pk}" for one in self.missing),
            *(f"?{member.pk} {line}" for member, line in self.doubtful),
        ]
        return sha256("\n".join(said).encode()).hexdigest()


def plan_of(cohort: Cohort, roster: RosterFile) -> Plan:
    """Return the plan of a roster for a class. Four queries at most."""
    members = Membership.objects.filter(cohort=cohort).exclude(state=State.DELETED)
    rows = list(members.select_related("user").order_by("name", "pk"))
    return plan_among(rows, roster, joined_members(rows))


def plan_among(rows: Sequence[Membership], roster: RosterFile, joined: JoinedMembers) -> Plan:
    """Plan the changes of a roster to a class of these people, who are not deleted. No query.

    `joined`: those of them who have joined.
    """
    plan = Plan(refused=list(roster.faults))
    identities = identities_among(rows)
    known = _Known(rows, identities)
    taken: dict[int, int] = {}
    for person in roster.people:
        members, by_account = known.of(person)
        if len(members) > 1:
            plan.refused.append(RosterFault(person.line, _ambiguous(person, members)))
            continue
        if not members:
            plan.added.append(person)
            continue
        member = members[0]
        if member.pk in taken:
            cause = f"is {member.label}, and so is line {taken[member.pk]}: remove one of them"
            plan.refused.append(RosterFault(person.line, cause))
            continue
        taken[member.pk] = person.line
        identity = identities[member.pk]
        words = tuple(_differences(member, identity, person))
        change = Change(person.line, member, person, identity, words, by_account)
        (plan.changed if words else plan.unchanged).append(change)
    _refuse_a_class_without_instructor(plan, rows)
    left = [
        row
        for row in rows
        if row.pk not in taken
        and row.role == Role.STUDENT
        and row.state in {State.ACTIVE, State.INVITED}
    ]
    lines = _doubtful_lines(plan, joined.among(left))
    plan.doubtful = [(row, lines[row.pk]) for row in left if row.pk in lines]
    plan.missing = [row for row in left if row.pk not in lines]
    plan.refused.sort(key=lambda fault: fault.line)
    return plan


def _doubtful_lines(plan: Plan, joined: JoinedMembers) -> dict[int, int]:
    """Return, by the key of a joined row, the line that it may be, of somebody who has not joined.

    That is the question which the page of the people asks once the roster is stored.
    """
    waiting = [
        one.person for one in (*plan.changed, *plan.unchanged) if one.member.state == State.INVITED
    ]
    lines: dict[int, int] = {}
    for person in (*plan.added, *waiting):
        if other := joined.like(person):
            lines.setdefault(other.pk, person.line)
    return lines


class _Known:
    """The people of a class by what they are known by."""

    def __init__(self, rows: Iterable[Membership], identities: Mapping[int, Identity]) -> None:
        self._identities = identities
        self._by: dict[tuple[str, str], list[Membership]] = {}
        self._accounts: dict[str, Membership] = {}
        for row in rows:
            email = fold_email(row.email)
            keys = {
                "email": email,
                "external_id": fold_key(row.external_id),
                "login_id": fold_key(row.login_id),
                "prefix": email.partition("@")[0],
            }
            for key, value in keys.items():
                if value:
                    self._by.setdefault((key, value), []).append(row)
            if not row.login_id and (login := identities[row.pk].upload_login):
                self._accounts[login] = row

    def of(self, person: RosterLine) -> tuple[list[Membership], bool]:
        """Return everybody that a line may mean, and whether by their account alone."""
        found: dict[int, Membership] = {}
        for key in KEYS:
            for row in self._by.get((key, getattr(person, key)), ()):
                found[row.pk] = row
        if found:
            return list(found.values()), False
        account = self._of_account(person)
        if account and not any(_differences(account, self._identities[account.pk], person)):
            return [account], True
        own_address = "" if _is_of_login(person) else person.email
        prefix = "" if own_address else person.login_id.lower()
        rows = list(self._by.get(("prefix", prefix), ())) if prefix else []
        if account and account not in rows:
            return [*rows, account], not rows
        return rows, False

    def _of_account(self, person: RosterLine) -> Membership | None:
        """Return whose account a line names, if no address in it is another one."""
        row = self._accounts.get(person.login_id or person.email)
        if row is None:
            return None
        identity = self._identities[row.pk]
        if not person.login_id and identity.login:
            return None  # an address alone is what anybody can have typed
        contradicts = person.email and not _is_of_login(person) and person.email != identity.email
        return None if contradicts else row


def _is_of_login(person: RosterLine) -> bool:
    """Return whether the address of a line is its login, so that a form may have had none."""
    return person.email == fold_email(person.login_id)


def _ambiguous(person: RosterLine, members: list[Membership]) -> str:
    names = " and ".join(f"{one.label} (number {one.pk})" for one in members)
    keys = ", ".join(f"{key} {getattr(person, key)}" for key in KEYS if getattr(person, key))
    return f"{keys} may belong to {names}: first correct what is stored for one of them"


def _differences(member: Membership, identity: Identity, person: RosterLine) -> Iterable[str]:
    for key in _changes(identity, person):
        before, after = _before(identity, key), getattr(person, key)
        if key == "name" and before == after:  # only its parts are others
            before, after = identity.sortable, f"{person.family_name}, {person.given_name}"
        yield f"{key}: {before or 'nothing'} becomes {after}"
    if member.state == State.REMOVED:
        yield "was removed, will be restored"


def _before(identity: Identity, key: str) -> str:
    return str(getattr(identity, "login" if key == "login_id" else key))


def _changes(identity: Identity, person: RosterLine) -> Iterable[str]:
    """Yield what a line says otherwise. A name is compared as the form has it: whole, or parts."""
    own = {"", identity.email, *([fold_email(identity.login)] if _is_of_login(person) else [])}
    if person.email not in own:
        yield "email"
    if not _has_name(identity, person):
        yield "name"
    if person.external_id not in {"", identity.external_id}:
        yield "external_id"
    # Where a form needs a login, ours have the address of somebody who has none.
    is_address = not identity.login and fold_email(person.login_id) == identity.email
    if person.login_id not in {"", identity.login} and not is_address:
        yield "login_id"
    for key in ("section", "role"):
        if getattr(person, key) not in {"", getattr(identity, key)}:
            yield key


def _has_name(identity: Identity, person: RosterLine) -> bool:
    if person.sortable:
        return person.sortable == identity.sortable
    if person.given_name or person.family_name:
        return (person.given_name, person.family_name) == (
            identity.given_name,
            identity.family_name,
        )
    return person.name in {"", identity.name}


def _refuse_a_class_without_instructor(plan: Plan, rows: Iterable[Membership]) -> None:
    """Refuse the lines that would take the role from every instructor that can sign in."""
    left = {row.pk for row in rows if _teaches(row)}
    if not left:
        return
    demoted = [
        one
        for one in plan.changed
        if one.member.pk in left and one.person.role not in {"", Role.INSTRUCTOR}
    ]
    if {one.member.pk for one in demoted} == left:
        cause = "would leave the class without an instructor"
        plan.refused += [RosterFault(one.line, f"role: {cause}") for one in demoted]


def _teaches(row: Membership) -> bool:
    return bool(
        row.role == Role.INSTRUCTOR
        and row.state == State.ACTIVE
        and row.user
        and row.user.is_active
    )


@transaction.atomic
def apply_roster(
    *,
    cohort: Cohort,
    roster: RosterFile,
    by: User,
    digest: str,
    remove: Collection[int] = (),
    accounts_are_theirs: bool = False,
) -> Plan:
    """Apply the plan with this digest, and remove these of its missing people.

    `accounts_are_theirs` says that those who are known by their account alone are the people of
    their lines. Raises RosterError, having stored nothing, where that is needed and missing, a
    line is refused, or the class changed since the plan was shown. A new address ends the link to
    the former one.
    """
    Cohort.objects.select_for_update().get(pk=cohort.pk)
    plan = plan_of(cohort, roster)
    if plan.refused:
        number = plan.refused_lines
        raise RosterError(f"{number} line{' was' if number == 1 else 's were'} refused")
    if plan.digest != digest:
        raise RosterError("the class has changed in the meantime: check the table again")
    if plan.by_account and not accounts_are_theirs:
        raise RosterError(
            "tick the box to confirm that these accounts belong to the people in the file"
        )
    missing = {row.pk: row for row in plan.missing}
    if not set(remove) <= set(missing):
        raise RosterError("somebody chosen for removal is not among the missing people")
    readdressed = [
        change.member.pk
        for change in plan.changed
        if ends_link(change.member) and "email" in _changes(change.identity, change.person)
    ]
    _clear_keys(plan.changed)
    Membership.objects.filter(pk__in=readdressed).update(invite_token="", invite_ends_at=None)
    Membership.objects.bulk_update(
        [_with(one) for one in plan.changed],
        [*COPIED, *NAMES, "state", "joined_at"],
        batch_size=200,
    )
    Membership.objects.bulk_create([_new(cohort, person) for person in plan.added], batch_size=200)
    gone = [missing[pk] for pk in sorted(remove)]
    # At once: a roster may take thousands of invitations back.
    invited = [one.pk for one in gone if one.state == State.INVITED]
    Membership.objects.filter(pk__in=invited, state=State.INVITED).delete()
    for one in gone:
        if one.state != State.INVITED:
            remove_member(member=one, by=by)
    about = f"{len(plan.added)} added, {len(plan.changed)} changed, {len(remove)} removed"
    record_for_class(cohort, by, "applied a roster", about=about)
    return plan


def _clear_keys(changed: Iterable[Change]) -> None:
    """Take keys away before they are given again: two people may have swapped them."""
    rows = [one.member.pk for one in changed]
    Membership.objects.filter(pk__in=rows).update(email="", external_id="")


def _with(change: Change) -> Membership:
    member, person = change.member, change.person
    for key in _changes(change.identity, person):
        setattr(member, key, getattr(person, key))
        if key == "name":
            member.given_name, member.family_name = person.given_name, person.family_name
    if member.state == State.REMOVED:
        member.state = State.ACTIVE if member.user_id and member.joined_at else State.INVITED
        if member.state == State.ACTIVE:
            member.frozen_marks.all().delete()
        else:
            member.user, member.joined_at = None, None
    return member


def _new(cohort: Cohort, person: RosterLine) -> Membership:
    values = {key: getattr(person, key) for key in COPIED}
    values["role"] = person.role or Role.STUDENT
    return Membership(
        cohort=cohort,
        state=State.INVITED,
        name=person.name,
        given_name=person.given_name,
        family_name=person.family_name,
        **values,
    )
