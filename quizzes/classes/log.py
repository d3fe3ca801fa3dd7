"""What staff did in a class, written into the audit log."""

from collections.abc import Iterable

from quizzes.classes.models import Cohort
from quizzes.courses.audit import record, record_opening
from quizzes.courses.log_subjects import Subject
from quizzes.learners.models import User


def record_for_class(
    cohort: Cohort, by: User | None, act: str, subjects: Iterable[Subject] = (), about: str = ""
) -> None:
    """Record one act in a class; `by` None is an operator on the machine."""
    record(by=by, act=act, subjects=subjects, about=about, course=cohort.course, cohort=cohort.slug)


def record_opening_for_class(
    cohort: Cohort, by: User, subjects: Iterable[Subject], about: str = ""
) -> None:
    """Record that staff of a class opened work with a name, at most once an hour."""
    record_opening(by=by, subjects=subjects, about=about, course=cohort.course, cohort=cohort.slug)
