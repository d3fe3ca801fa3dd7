"""Who may do what in a class, and whose work a class opens to whom.

A role in a class comes from its memberships alone: a role in the course opens no class, and a role
in a class opens nothing of the course. Superusers are instructors of every class. An assistant sees
work, comments and gives extensions; people, dates, marks and publishing are for instructors.
"""

from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from quizzes.assessment.models import Attempt
from quizzes.assessment.models.attempts import AttemptQuerySet
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.courses.log_subjects import Subject
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, User
from quizzes.statements import Param

Role = Membership.Role
State = Membership.State
Rows = TypeVar("Rows", bound="QuerySet[Any]")
TEACHING = [role for role in Role if role.teaches]


def role_in_class(cohort: Cohort, user: User | AnonymousUser) -> Membership.Role | None:
    """Return the role of an account in a class, None for none. At most one query."""
    if not isinstance(user, User) or not user.is_active:
        return None
    if user.is_superuser:
        return None if cohort.is_being_filled else Role.INSTRUCTOR
    held = Membership.objects.filter(cohort=cohort, user=user, state=State.ACTIVE)
    role = held.values_list("role", flat=True).first()
    return Role(role) if role else None


def class_with_role(
    slug: str, user: User | AnonymousUser
) -> tuple[Cohort | None, Membership.Role | None]:
    """Return a class with its course, and the role of an account in it. One query."""
    rows = Cohort.objects.select_related("course").filter(slug=slug, is_being_filled=False)
    if not isinstance(user, User) or not user.is_active:
        return rows.first(), None
    held = Membership.objects.filter(cohort=OuterRef("pk"), user=user, state=State.ACTIVE)
    found = rows.annotate(held_role=Subquery(held.order_by().values("role")[:1])).first()
    if found is None:
        return None, None
    if user.is_superuser:
        return found, Role.INSTRUCTOR
    return found, Role(found.held_role) if found.held_role else None


def taught_classes(user: User) -> QuerySet[Cohort]:
    """Return the classes whose work an account sees, all for a superuser that are filled."""
    return classes_taught_by(user.pk, is_superuser=user.is_superuser)


def is_demo_class_coming(user: User) -> bool:
    """Say whether a worker is filling a class for this demo login."""
    return (
        user.is_demo
        and settings.DEMO_CLASS
        and Cohort.objects.filter(is_being_filled=True).exists()
    )


def classes_taught_by(user: int | Param, *, is_superuser: bool) -> QuerySet[Cohort]:
    """Return the same for an account by its key."""
    if is_superuser:
        return Cohort.objects.filter(is_being_filled=False)
    own = _places(user, cohort=OuterRef("pk"), role__in=TEACHING)
    return Cohort.objects.filter(Exists(own))


def courses_to_teach(user: User) -> QuerySet[Course]:
    """Return the courses of which an account may open a class: listed ones and its own."""
    if not user.is_instructor:
        return Course.objects.none()
    if user.is_superuser:
        return Course.objects.all()
    return Course.objects.filter(Q(is_listed=True) | Q(staff__user=user)).distinct()


def students_of(cohort: Cohort, section: str = "") -> QuerySet[Learner]:
    """Return the learners of a class, or of one section: active students, without its staff."""
    held = _held(cohort=cohort, role=Role.STUDENT)
    held = held.filter(section=section) if section else held
    return Learner.objects.filter(user__in=held.values("user"))


def members_of(cohort: Cohort) -> QuerySet[Learner]:
    """Return the learners of every active member of a class, its staff too."""
    return Learner.objects.filter(user__in=_held(cohort=cohort).values("user"))


def _places(user: int | Param | None, **more: object) -> QuerySet[Membership]:
    return _held(**more).filter(user=user)


def _held(**more: object) -> QuerySet[Membership]:
    return Membership.objects.filter(user__isnull=False, state=State.ACTIVE, **more).order_by()


def subjects_of_work(cohort: Cohort, work: Attempt | Submission) -> list[Subject]:
    """Return the subjects of a log entry on a member's work: the work and the member."""
    person = Membership.objects.filter(cohort=cohort, user__learner=work.learner_id).first()
    return [work.as_subject(), *([person.as_subject()] if person else [])]


def attempts_seen(cohort: Cohort) -> AttemptQuerySet:
    """Return the attempts that staff of a class see: of its members, since each joined."""
    rows: AttemptQuerySet = _of_members(
        Attempt.objects.filter(quiz__course=cohort.course_id),
        cohort,
        Q(place__joined_at__lte=F("started_at")),
    )
    return rows


def submissions_seen(cohort: Cohort) -> QuerySet[Submission]:
    """Return the submissions and checks that staff of a class see.

    Those since each member joined; of earlier ones what was submitted to an assigned exercise,
    which the page that joins names beforehand.
    """
    assigned = _assigned(cohort=cohort, exercise=OuterRef("exercise_version__exercise"))
    return _of_members(
        Submission.objects.filter(exercise_version__exercise__course=cohort.course_id),
        cohort,
        Q(place__joined_at__lte=F("submitted_at"))
        | Q(Exists(assigned), kind=Submission.Kind.SUBMIT),
    )


def _of_members(rows: Rows, cohort: Cohort, condition: Q) -> Rows:
    """Return rows of active members of a class; `condition` may ask of each one's `place` in it.

    An account has one place in a class, so the join repeats no row. Looked up for each row by
    itself, the places took PostgreSQL 160 of 193 ms for a class of 16 000 submissions. The members
    are named too, so that a database begins with them, not with all of the site.
    """
    path = "learner__user__class_memberships"
    held = Q(**{f"{path}__cohort": cohort, f"{path}__state": State.ACTIVE})
    return rows.alias(place=FilteredRelation(path, condition=held)).filter(
        condition, place__isnull=False, learner__in=members_of(cohort)
    )


def _assigned(**filters: object) -> QuerySet[Assignment]:
    return Assignment.objects.filter(is_visible=True, **filters).order_by()


def class_that_shows(user: User, submission: Submission) -> Cohort | None:
    """Return a class through which an account sees a submission, None for none. One query.

    By the conditions of `submissions_seen`, of all classes of the account at once.
    """
    member = _places(submission.learner.user_id, cohort=OuterRef("pk"))
    since = member.filter(joined_at__lte=submission.submitted_at)
    exercise = submission.exercise_version.exercise
    shown = Q(Exists(since))
    if submission.kind == Submission.Kind.SUBMIT:
        assigned = _assigned(cohort=OuterRef("pk"), exercise=exercise.pk)
        shown |= Q(Exists(member), Exists(assigned))
    return taught_classes(user).filter(shown, course=exercise.course_id).first()


def may_see_submission(user: User | AnonymousUser, submission: Submission) -> bool:
    """Return whether an account of staff sees another person's submission with its name."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_superuser or class_that_shows(user, submission) is not None
