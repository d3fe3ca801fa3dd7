"""Who may do what in a class, and whose work a class opens to whom.

A role in a class comes from its memberships alone: a role in the course opens no class, and a role
in a class opens nothing of the course. Superusers are instructors of every class. An assistant sees
work, comments and gives extensions; people, dates, marks and publishing are for instructors.
"""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from quizzes.assessment.models import Attempt
from quizzes.classes.models import Cohort, Membership
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, User

Role = Membership.Role
State = Membership.State
TEACHING = [role for role in Role if role.teaches]


def role_in_class(cohort: Cohort, user: User | AnonymousUser) -> Membership.Role | None:
    """Return the role of an account in a class, None for none. At most one query."""
    if not isinstance(user, User) or not user.is_active:
        return None
    if user.is_superuser:
        return Role.INSTRUCTOR
    held = Membership.objects.filter(cohort=cohort, user=user, state=State.ACTIVE)
    role = held.values_list("role", flat=True).first()
    return Role(role) if role else None


def taught_classes(user: User) -> QuerySet[Cohort]:
    """Return the classes whose work an account sees, all for a superuser."""
    if user.is_superuser:
        return Cohort.objects.all()
    return Cohort.objects.filter(
        memberships__user=user, memberships__state=State.ACTIVE, memberships__role__in=TEACHING
    ).distinct()


def courses_to_teach(user: User) -> QuerySet[Course]:
    """Return the courses of which an account may open a class: listed ones and its own."""
    if not user.is_instructor:
        return Course.objects.none()
    if user.is_superuser:
        return Course.objects.all()
    return Course.objects.filter(Q(is_listed=True) | Q(staff__user=user)).distinct()


def students_of(cohort: Cohort) -> QuerySet[Learner]:
    """Return the learners of a class: its active students, without its staff."""
    students = _places(OuterRef("user"), cohort=cohort, role=Role.STUDENT)
    return Learner.objects.filter(Exists(students))


def members_of(cohort: Cohort) -> QuerySet[Learner]:
    """Return the learners of every active member of a class, its staff too."""
    return Learner.objects.filter(Exists(_places(OuterRef("user"), cohort=cohort)))


def _places(user: OuterRef, **more: object) -> QuerySet[Membership]:
    return Membership.objects.filter(user=user, state=State.ACTIVE, **more).order_by()


def attempts_seen(cohort: Cohort) -> QuerySet[Attempt]:
    """Return the attempts that staff of a class see: of its members, since each joined."""
    since = _places(OuterRef("learner__user"), cohort=cohort, joined_at__lte=OuterRef("started_at"))
    return Attempt.objects.filter(Exists(since), quiz__course=cohort.course_id)


def submissions_seen(cohort: Cohort) -> QuerySet[Submission]:
    """Return the submissions and checks that staff of a class see, since each member joined."""
    since = _places(
        OuterRef("learner__user"), cohort=cohort, joined_at__lte=OuterRef("submitted_at")
    )
    return Submission.objects.filter(
        Exists(since), exercise_version__exercise__course=cohort.course_id
    )


def class_that_shows(user: User, submission: Submission) -> Cohort | None:
    """Return a class through which an account sees a submission, None for none. One query.

    A learner has few classes, so each is asked by the conditions of `submissions_seen` at once.
    """
    student = Membership.objects.filter(
        cohort=OuterRef("pk"), user__learner=submission.learner_id, state=State.ACTIVE
    ).filter(joined_at__lte=submission.submitted_at)
    course = submission.exercise_version.exercise.course_id
    return taught_classes(user).filter(Exists(student), course=course).first()


def may_see_submission(user: User | AnonymousUser, submission: Submission) -> bool:
    """Return whether an account of staff sees another person's submission with its name."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_superuser or class_that_shows(user, submission) is not None
