"""Who may do what in a course: roles of accounts, and the group of instructors.

A role is all that counts in a course; superusers may do in every course what its owners may. The
group of instructors says who may open classes and copy courses, and opens no course by itself.
"""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser, Group
from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery

from quizzes.courses.audit import record
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import Course, CourseStaff
from quizzes.learners.instructors import AccountError
from quizzes.learners.models import INSTRUCTORS, Learner, User

Role = CourseStaff.Role


def role_in(course: Course, user: User | AnonymousUser) -> CourseStaff.Role | None:
    """Return the role of an account in a course, None for none. At most one query."""
    if not isinstance(user, User) or not user.is_active:
        return None
    if user.is_superuser:
        return Role.OWNER
    held = CourseStaff.objects.filter(course=course, user=user).values_list("role", flat=True)
    role = held.first()
    return Role(role) if role else None


def taught_courses(user: User, at_least: CourseStaff.Role = Role.VIEWER) -> QuerySet[Course]:
    """Return the courses in which an account has this role or a higher one, `role` with each.

    All courses for a superuser; there `role` is None where the account has no row.
    """
    own = CourseStaff.objects.filter(course=OuterRef("pk"), user=user).values("role")
    courses = Course.objects.annotate(role=Subquery(own))
    if user.is_superuser:
        return courses
    return courses.filter(role__in=[role for role in Role if role.includes(at_least)])


def learners_not_counted(course: Course) -> QuerySet[Learner]:
    """Return the learners that are no part of a course's class: its staff, superusers, demos.

    They try things out, often with wrong answers on purpose.
    """
    return Learner.objects.filter(
        Q(user__course_roles__course=course) | Q(user__is_superuser=True) | Q(user__is_demo=True)
    )


@transaction.atomic
def set_role(course: Course, *, user: User, role: CourseStaff.Role | None, by: User | None) -> str:
    """Give an account a role in a course, or take it with None; return a sentence about it.

    `by` is the account that asks for it, None an operator on the machine. Raises AccountError for
    an account that cannot sign in, and for the last owner, whom only superusers and operators may
    take away: nobody else could then give the course back to anybody.
    """
    Course.objects.select_for_update().get(pk=course.pk)  # two owners at once keep one
    held = CourseStaff.objects.filter(course=course, user=user).first()
    if role == (held.role if held else None):
        had = f"is already {held.role} of {course.title}" if held else "has no role here"
        return f"{user.username} {had}. Nothing was changed."
    if role and not user.is_active:
        raise AccountError(f"{user.username} is not active and cannot sign in: activate it first")
    if held and held.role == Role.OWNER and by and not by.is_superuser:
        others = CourseStaff.objects.filter(course=course, role=Role.OWNER, user__is_active=True)
        if not others.exclude(user=user).exists():
            raise AccountError(f"{user.username} is the last owner: make somebody else owner first")
    user.forget_roles()
    act = f"gave the role {role}" if role else "took the role away"
    record(by=by, act=act, subjects=[Subject.of(Kind.ACCOUNT, user.pk)], course=course)
    if role is None:
        CourseStaff.objects.filter(course=course, user=user).delete()
        return f"{user.username} no longer has a role in {course.title}."
    CourseStaff.objects.update_or_create(course=course, user=user, defaults={"role": role})
    return f"{user.username} now has the role {role} in {course.title}."


@transaction.atomic
def set_instructor(*, user: User, teaches: bool, by: User | None = None) -> str:
    """Make an account an instructor, or no longer one; return a sentence about the change.

    An account that is no longer an instructor also loses its roles in courses: who presses the
    button means that it should no longer see learners' work. Repeating it changes nothing. Raises
    AccountError for an account that cannot sign in.
    """
    is_one = user.groups.filter(name=INSTRUCTORS).exists()
    if teaches and not user.is_active:
        raise AccountError(f"{user.username} is not active and cannot sign in: activate it first")
    lost = [] if teaches else _take_roles(user)
    if user.is_superuser and not is_one and not lost:
        return f"{user.username} can teach because the account is a superuser. Nothing was changed."
    if is_one == teaches and not lost:
        was = "is already an instructor" if teaches else "is not an instructor"
        return f"{user.username} {was}. Nothing was changed."
    act = "made an instructor" if teaches else "took the right to teach"
    record(by=by, act=act, subjects=[Subject.of(Kind.ACCOUNT, user.pk)])
    user.forget_roles()
    if teaches:
        user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
        return f"{user.username} is now an instructor."
    user.groups.remove(*Group.objects.filter(name=INSTRUCTORS))
    return f"{user.username} is no longer an instructor{_of(lost)}{_still(user)}."


def _take_roles(user: User) -> list[str]:
    roles = CourseStaff.objects.filter(user=user)
    titles = list(roles.order_by("course").values_list("course__title", flat=True))
    roles.delete()
    return titles


def _of(titles: Iterable[str]) -> str:
    named = ", ".join(titles)
    return f", and no longer has a role in: {named}" if named else ""


def _still(user: User) -> str:
    return ", and still teaches as a superuser" if user.is_superuser else ""
