"""Who a member is in files: one rule for rosters, marks and all other downloads.

What the roster says of a person comes first, else what their account says. An account's address
need not be confirmed, and anybody may choose any free login. So what is somebody else's on the
roster, or the address of two accounts, is nobody's: no file has a key that leads to two people.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from quizzes.classes.models import Cohort, Membership
from quizzes.classes.names import MOST_NAME, fold_email, fold_key, fold_name, name_of

State = Membership.State


@dataclass(frozen=True)
class Identity:
    """Who a member is; `given_name` and `family_name` are the parts of `name`."""

    email: str = ""
    name: str = ""
    given_name: str = ""
    family_name: str = ""
    external_id: str = ""
    login: str = ""
    section: str = ""
    role: str = ""

    @property
    def is_known(self) -> bool:
        """Return whether an address, an id or a login says who this is."""
        return bool(self.email or self.external_id or self.login)

    @property
    def sortable(self) -> str:
        """Return "Lovelace, Ada", or the name where it has one part."""
        return (
            f"{self.family_name}, {self.given_name}"
            if self.family_name and self.given_name
            else self.name
        )

    @property
    def upload_login(self) -> str:
        """Return the login that other programs know: the login, or else the address."""
        return self.login or self.email


def identity_of(member: Membership) -> Identity:
    """Return who a member is: what the roster says, else the account. No query with `user` read."""
    if member.state == State.DELETED:
        return Identity(name=member.label)
    user = member.user
    name = fold_name(member.name) or (name_of(user) if user else "")
    given, family = fold_name(member.given_name), fold_name(member.family_name)
    if not (given or family) and user and name == name_of(user):
        given, family = fold_name(user.first_name), fold_name(user.last_name)
    name = name or (fold_name(user.get_username())[:MOST_NAME] if user else "")
    if not (given or family):
        given, family = parts_of(name)
    return Identity(
        email=fold_email(member.email) or (fold_email(user.email) if user else ""),
        name=name,
        given_name=given,
        family_name=family,
        external_id=fold_key(member.external_id),
        login=fold_key(member.login_id) or (fold_key(user.get_username()) if user else ""),
        section=fold_name(member.section),
        role=member.role,
    )


def parts_at_comma(name: str) -> tuple[str, str]:
    """Return the parts of "Lovelace, Ada", before and after the first comma; "" without one."""
    before, comma, after = (part.strip() for part in name.partition(","))
    return (before, after) if comma and before and after else ("", "")


def parts_of(name: str) -> tuple[str, str]:
    """Return the given and the family name of a name: split at a comma, else at the last blank."""
    family, given = parts_at_comma(name)
    if family:
        return given, family
    given, _, family = name.rpartition(" ")
    return (given, family) if given else (family, "")


def identities_of(cohort: Cohort) -> dict[int, Identity]:
    """Return the identities of the members of a class, by their keys. One query."""
    rows = Membership.objects.filter(cohort=cohort).select_related("user")
    return identities_among(rows)


def identities_among(members: Iterable[Membership]) -> dict[int, Identity]:
    """Return the identities of a class's members by their keys, without keys of two people."""
    members = list(members)
    found = {member.pk: identity_of(member) for member in members}
    emails = Counter(one.email for one in found.values())
    own_emails = {fold_email(one.email) for one in members}
    own_logins = {fold_key(one.login_id).casefold() for one in members} | set(emails)
    for member in members:
        identity = found[member.pk]
        if not member.email and (identity.email in own_emails or emails[identity.email] > 1):
            identity = replace(identity, email="")
        borrowed = identity.login.casefold()
        if not member.login_id and borrowed != identity.email and borrowed in own_logins:
            identity = replace(identity, login="")
        found[member.pk] = identity
    return found


def unknown_people(
    members: Iterable[Membership], people: Mapping[int, Identity]
) -> list[Membership]:
    """Return the members without an address, an id or a login: files leave them out."""
    return [member for member in members if not people[member.pk].is_known]
