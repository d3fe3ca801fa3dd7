from django.db import migrations
from django.db.models import Case, Count, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce

AT_ONCE = 5000  # rows; each batch is a transaction of its own


def fill_scores(apps, _schema_editor):
    """Give each answer the score that its being right or wrong says."""
    answers = apps.get_model("assessment", "Response").objects.filter(is_right__isnull=False)
    score = Case(When(is_right=True, then=Value(1)), default=Value(0))
    for batch in _batches(answers.filter(score=None)):
        answers.filter(batch, score=None).update(score=score)


def fill_points(apps, _schema_editor):
    """Write down what each submitted attempt earned: every question was worth one point."""
    attempts = apps.get_model("assessment", "Attempt").objects.filter(submitted_at__isnull=False)
    answers = apps.get_model("assessment", "Response").objects.filter(attempt=OuterRef("pk"))
    counted = answers.order_by().values("attempt")
    right = counted.annotate(n=Count("pk", filter=Q(is_right=True))).values("n")
    asked = counted.annotate(n=Count("pk")).values("n")
    for batch in _batches(attempts.filter(possible=None)):
        attempts.filter(batch, possible=None).update(
            earned=Coalesce(Subquery(right), 0),
            possible=Coalesce(Subquery(asked), 0),
            ended_by="learner",
        )


def _batches(rows):
    """Return a condition for each batch of rows, in the order of their keys."""
    last = 0
    while keys := list(
        rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]
    ):
        yield Q(pk__gt=last, pk__lte=keys[-1])
        last = keys[-1]


class Migration(migrations.Migration):
    atomic = False  # what was filled before an interruption stays

    dependencies = [("assessment", "0010_points_and_sittings")]

    operations = [
        migrations.RunPython(fill_scores, migrations.RunPython.noop),
        migrations.RunPython(fill_points, migrations.RunPython.noop),
    ]
