"""Who would get a personal link by mail: looked at first, then sent to exactly these people."""

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from quizzes.classes.models import Cohort, LinkMail, Membership

MailState = LinkMail.State


@dataclass
class LinkPlan:
    """The people of a class who have not joined, by what "Send the links" does for them."""

    without_link: list[Membership] = field(default_factory=list)  # get a mail
    with_link: list[Membership] = field(default_factory=list)  # get one only if it is chosen
    mailed: list[Membership] = field(default_factory=list)  # have the link of an earlier mail
    waiting: list[Membership] = field(default_factory=list)  # for a mail of the open run
    without_address: list[Membership] = field(default_factory=list)
    unusable: list[Membership] = field(default_factory=list)  # no mail program takes the address
    # By the mail server: some of those without a link.
    refused: list[tuple[Membership, LinkMail]] = field(default_factory=list)
    uncertain: list[Membership] = field(default_factory=list)  # some of those with a link

    @property
    def digest(self) -> str:
        """Return a mark of this plan: another one, if the class changed meanwhile."""
        lists = (self.without_link, self.with_link)
        addressees = ([f"{place.pk} {place.email} {place.role}" for place in row] for row in lists)
        return sha256("\n\n".join("\n".join(row) for row in addressees).encode()).hexdigest()

    def addressees(self, *, replace_links: bool) -> list[Membership]:
        """Return the people who get a mail; `replace_links`: those who have a link as well."""
        return [*self.without_link, *(self.with_link if replace_links else ())]


def plan_links(cohort: Cohort, now: datetime) -> LinkPlan:
    """Plan the mails of a class. One query."""
    invited = Membership.objects.filter(cohort=cohort, state=Membership.State.INVITED)
    plan = LinkPlan()
    for place in invited.select_related("link_mail").order_by("name", "email", "pk"):
        _add(plan, place, mail_of(place), now)
    return plan


def mail_of(place: Membership) -> LinkMail | None:
    """Return the mail to the address that the place has now, None before there is one."""
    mail: LinkMail | None = getattr(place, "link_mail", None)
    return mail if mail is not None and mail.address == place.email else None


def _add(plan: LinkPlan, place: Membership, mail: LinkMail | None, now: datetime) -> None:
    state = mail.state if mail is not None else None
    ends_at = place.invite_ends_at
    has_link = place.invite_token != "" and (ends_at is None or ends_at > now)
    if state in {MailState.WAITING, MailState.SENDING}:
        plan.waiting.append(place)
    elif not place.email:
        plan.without_address.append(place)
    elif not can_be_mailed(place.email):
        plan.unusable.append(place)
    elif state == MailState.SENT and has_link:
        plan.mailed.append(place)
    elif has_link and state != MailState.REFUSED:
        plan.with_link.append(place)
        if state == MailState.UNCERTAIN:
            plan.uncertain.append(place)
    else:
        plan.without_link.append(place)
        if mail is not None and state == MailState.REFUSED:
            plan.refused.append((place, mail))


def can_be_mailed(address: str) -> bool:
    """Say whether the mail program takes an address.

    It writes no name before the @ in other letters than ASCII, which few mail servers would take;
    such a domain it writes as DNS does.
    """
    try:
        validate_email(address)
    except ValidationError:
        return False
    return True
