"""What staff do with a class and its people."""

from collections.abc import Iterable
from datetime import date

from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes.classes.assignments import extra_time_changed
from quizzes.classes.join_codes import LINK_LIFETIME, hash_of, new_code, new_token
from quizzes.classes.log import record_for_class
from quizzes.classes.marks.frozen_marks import freeze
from quizzes.classes.models import Cohort, LinkMail, Membership
from quizzes.classes.names import fold_email, fold_key, fold_name, name_of
from quizzes.content_files.fields import is_slug
from quizzes.content_files.typed_text import isolate
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import Course
from quizzes.learners.models import User

Role, State = Membership.Role, Membership.State
MOST_SLUG = 60


class ClassError(Exception):
    """This cannot be done to the class; the message says why."""


@transaction.atomic
def open_class(
    *,
    course: Course,
    by: User,
    slug: str,
    title: str,
    begins_on: date,
    ends_on: date,
    zone: str = "UTC",
) -> Cohort:
    """Open a class of a course; the account that does is its instructor. Raises ClassError."""
    if not is_slug(slug) or len(slug) > MOST_SLUG:
        raise ClassError(
            f"{slug!r}: must be lower-case words joined by hyphens, of at most {MOST_SLUG}"
            " characters"
        )
    if Cohort.objects.filter(slug=slug).exists():
        raise ClassError(f"there is already a class {slug}")
    if begins_on > ends_on:
        raise ClassError(f"the class would begin on {begins_on} and end earlier, on {ends_on}")
    cohort = Cohort.objects.create(
        course=course,
        slug=slug,
        title=fold_name(title),
        begins_on=begins_on,
        ends_on=ends_on,
        timezone=zone,
        join_code=_free_code(),
    )
    Membership.objects.create(
        cohort=cohort,
        user=by,
        name=name_of(by),
        role=Role.INSTRUCTOR,
        state=State.ACTIVE,
        joined_at=timezone.now(),
    )
    by.forget_roles()
    record_for_class(cohort, by, "opened the class")
    return cohort


def _free_code() -> str:
    while Cohort.objects.filter(join_code=(code := new_code())).exists():
        pass  # one of 10^12 meets another
    return code


@transaction.atomic
def change_class(
    *, cohort: Cohort, by: User, title: str, begins_on: date, ends_on: date, zone: str
) -> None:
    """Change the title, the days and the time zone of a class. Raises ClassError."""
    if begins_on > ends_on:
        raise ClassError(f"the class would begin on {begins_on} and end earlier, on {ends_on}")
    Cohort.objects.filter(pk=cohort.pk).update(
        title=fold_name(title), begins_on=begins_on, ends_on=ends_on, timezone=zone
    )
    record_for_class(cohort, by, "changed the class")


@transaction.atomic
def set_joining(*, cohort: Cohort, by: User, is_open: bool) -> None:
    """Let people join with the class's link, or no longer."""
    Cohort.objects.filter(pk=cohort.pk).update(join_open=is_open)
    record_for_class(cohort, by, "opened the join link" if is_open else "closed the join link")


@transaction.atomic
def renew_code(*, cohort: Cohort, by: User) -> str:
    """Give a class another code: the old link leads nowhere any more."""
    code = _free_code()
    Cohort.objects.filter(pk=cohort.pk).update(join_code=code)
    record_for_class(cohort, by, "renewed the join link")
    return code


@transaction.atomic
def set_archived(*, cohort: Cohort, by: User, is_archived: bool) -> None:
    """Put a class away, or take it back. Nobody joins a class that was put away."""
    at = timezone.now() if is_archived else None
    changed = Cohort.objects.filter(pk=cohort.pk, archived_at__isnull=is_archived)
    if changed.update(archived_at=at, **({"join_open": False} if is_archived else {})):
        record_for_class(cohort, by, "archived the class" if is_archived else "took the class back")


# ---- people


@transaction.atomic
def change_member(
    *,
    member: Membership,
    by: User,
    name: str,
    email: str,
    external_id: str,
    login_id: str,
    section: str,
    role: str,
    extra_time_percent: int,
) -> None:
    """Change the class's facts about a person; a new address ends the link to the former one.

    Raises ClassError.
    """
    held = _held(member)
    if held.state == State.DELETED:
        raise ClassError("this person’s data has been deleted: nothing can be changed")
    if role not in Role.values:
        raise ClassError(f"role: must be one of {', '.join(Role.values)}, not {role!r}")
    if role != Role.INSTRUCTOR:
        _keep_an_instructor(held)
    before, section_before = held.role, held.section
    if held.name != (typed := fold_name(name)):
        held.name, held.given_name, held.family_name = typed, "", ""
    if held.email != (address := fold_email(email)):
        if ends_link(held):
            held.invite_token, held.invite_ends_at = "", None
        held.email = address
    held.external_id, held.login_id = fold_key(external_id), fold_key(login_id)
    held.section, held.role = fold_name(section), role
    held.extra_time_percent = extra_time_percent
    try:
        with transaction.atomic():
            held.save()
    except IntegrityError:
        raise ClassError(
            f"somebody else in the class has the address {held.email or '(none)'} or the id"
            f" {held.external_id or '(none)'}"
        ) from None
    extra_time_changed(held.cohort, [held])
    subjects = [held.as_subject()]
    act = f"made {role}" if role != before else "changed"
    if held.section != section_before:
        act = "moved to another section" if act == "changed" else f"{act}, in another section"
        name = held.section
        subjects += [Subject.of(Kind.SECTION, name, f"section {name}")] if name else []
    record_for_class(held.cohort, by, act, subjects)


def ends_link(member: Membership) -> bool:
    """Return whether another address ends the link of this person.

    The link is for the reader of the former one. A place without an address keeps its link.
    """
    return member.state == State.INVITED and bool(member.email)


@transaction.atomic
def remove_member(*, member: Membership, by: User) -> None:
    """Remove a person: work and marks stay, the person sees nothing of the class any more.

    Somebody who was only invited is forgotten. Raises ClassError for the last instructor.
    """
    held = _held(member)
    if held.state == State.INVITED:
        record_for_class(held.cohort, by, "took back the invitation of", [held.as_subject()])
        held.delete()
        return
    if held.state != State.ACTIVE:
        return
    _keep_an_instructor(held)
    freeze(held)
    held.state = State.REMOVED
    held.save(update_fields=["state"])
    record_for_class(held.cohort, by, "removed", [held.as_subject()])


@transaction.atomic
def restore_member(*, member: Membership, by: User) -> None:
    """Take a removed person back; their marks are computed from their work again."""
    held = _held(member)
    if held.state != State.REMOVED:
        return
    if held.user_id is None:
        held.state, held.joined_at = State.INVITED, None
    else:
        held.frozen_marks.all().delete()
        held.state, held.joined_at = State.ACTIVE, held.joined_at or timezone.now()
    held.save(update_fields=["state", "joined_at"])
    record_for_class(held.cohort, by, "took back into the class", [held.as_subject()])


def _held(member: Membership) -> Membership:
    """Return the row of a member, held; first the class's, so that two changes take turns."""
    Cohort.objects.select_for_update().get(pk=member.cohort_id)
    rows = Membership.objects.select_for_update(of=("self",)).select_related("cohort__course")
    return rows.get(pk=member.pk)


def _keep_an_instructor(held: Membership) -> None:
    """Raise ClassError if a class would be left without an instructor that can sign in."""
    if held.role != Role.INSTRUCTOR or held.state != State.ACTIVE:
        return
    others = Membership.objects.filter(
        cohort=held.cohort_id, role=Role.INSTRUCTOR, state=State.ACTIVE, user__is_active=True
    ).exclude(pk=held.pk)
    if not others.exists():
        raise ClassError(
            f"{isolate(held.label)} is the last instructor: make somebody else an instructor first"
        )


@transaction.atomic
def invite(*, members: Iterable[Membership], by: User) -> dict[int, str]:
    """Make a new personal link for each member who has not joined yet; return secrets by key.

    A link that was made before ends: only its hash was kept, so it could not be shown again. With
    it goes the mail that brought it; one that waits is not sent.
    """
    secrets: dict[int, str] = {}
    ends_at = timezone.now() + LINK_LIFETIME
    cohort: Cohort | None = None
    for member in members:
        if member.state == State.INVITED:
            secrets[member.pk] = token = new_token()
            member.invite_token, cohort = hash_of(token), member.cohort
            member.invite_ends_at = ends_at
            member.save(update_fields=["invite_token", "invite_ends_at"])
    if cohort is not None:
        LinkMail.objects.filter(membership__in=list(secrets)).delete()
        record_for_class(cohort, by, "made personal links", about=f"{len(secrets)} of them")
    return secrets


@transaction.atomic
def merge_members(*, invited: Membership, joined: Membership, by: User) -> None:
    """Make one row of two: the one that joined takes what the roster says of the invited one.

    Raises ClassError unless one was invited and the other has joined the same class.
    """
    stays, gone = _held(joined), _held(invited)
    if (stays.cohort_id, stays.state, gone.state) != (gone.cohort_id, State.ACTIVE, State.INVITED):
        raise ClassError("only an invited person and a person who has joined can be merged")
    if gone.name:
        stays.name, stays.given_name, stays.family_name = (
            gone.name,
            gone.given_name,
            gone.family_name,
        )
    for field in ("email", "external_id", "login_id", "section"):
        setattr(stays, field, getattr(gone, field) or getattr(stays, field))
    stays.extra_time_percent = max(stays.extra_time_percent, gone.extra_time_percent)
    gone.delete()  # first: an address stands once in a class
    stays.save()
    extra_time_changed(stays.cohort, [stays])
    record_for_class(stays.cohort, by, "merged with their invitation", [stays.as_subject()])
