"""Constraints of points, sittings and of the forms that an answer has."""

from django.db import migrations, models
from django.db.models import F, Q

_NOT_ANSWERED = Q(answered_at=None, choice=None, choices__isnull=True, number=None)
_ANSWERED = Q(answered_at__isnull=False, is_right__isnull=False)
_ONE_FORM = _NOT_ANSWERED | _ANSWERED & (
    Q(choice__isnull=False, choices__isnull=True, number=None, text="")
    | Q(choice=None, choices__isnull=False, number=None, text="")
    | (Q(choice=None, choices__isnull=True) & ~Q(text=""))
)


def _check(model: str, name: str, condition: Q) -> migrations.AddConstraint:
    return migrations.AddConstraint(model, models.CheckConstraint(name=name, condition=condition))


class Migration(migrations.Migration):
    dependencies = [("assessment", "0011_fill_points")]

    operations = [
        migrations.AddIndex(
            "attempt",
            models.Index(
                condition=Q(submitted_at=None, deadline_at__isnull=False),
                fields=["deadline_at"],
                name="attempts_with_a_deadline",
            ),
        ),
        migrations.AddIndex(
            "attempt", models.Index(fields=["sitting", "learner"], name="attempts_of_a_sitting")
        ),
        migrations.AddConstraint(
            "attempt",
            models.UniqueConstraint(
                condition=Q(submitted_at=None),
                fields=("learner", "quiz", "sitting"),
                name="one_open_attempt_per_sitting",
            ),
        ),
        _check(
            "attempt",
            "points_exactly_when_handed_in",
            Q(submitted_at=None, earned=None, possible=None, ended_by="")
            | Q(
                submitted_at__isnull=False,
                earned__isnull=False,
                possible__isnull=False,
                earned__gte=0,
                possible__gte=F("earned"),
            ),
        ),
        _check("attempt", "attempt_end_is_known", Q(ended_by__in=["", "learner", "time"])),
        _check(
            "questionversion",
            "scoring_exactly_with_several_right_options",
            Q(kind="multiple", scoring__in=["all_or_nothing", "per_option"])
            | (~Q(kind="multiple") & Q(scoring="")),
        ),
        _check(
            "quizquestion",
            "a_question_or_a_pool",
            Q(question__isnull=False, draw=None, tag="")
            | (Q(question=None, draw__gte=1) & ~Q(tag="")),
        ),
        _check("quizquestion", "points_of_a_place_are_positive", Q(points__gt=0)),
        _check("response", "answer_has_one_form", _ONE_FORM),
        _check(
            "response",
            "right_exactly_with_the_whole_score",
            Q(is_right=None, score=None)
            | Q(is_right=True, score__isnull=False, score=1)
            | Q(is_right=False, score__isnull=False, score__gte=0, score__lt=1),
        ),
        _check("response", "points_are_positive", Q(points__gt=0)),
    ]
