import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """New names for two fields and a model. The database keeps its names: nothing is altered."""

    dependencies = [("exercises", "0007_retire_packs")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex("submission", "submissions_in_turn"),
                migrations.RemoveConstraint("submission", "at_most_three_leases"),
                migrations.RemoveConstraint("submission", "graded_on_a_pack"),
                migrations.RenameField("submission", "attempts", "tries_used"),
                migrations.RenameField("submission", "due_at", "scheduled_for"),
                migrations.AlterField(
                    "submission",
                    "tries_used",
                    models.PositiveSmallIntegerField(
                        db_column="attempts",
                        default=0,
                        editable=False,
                        help_text="Leases so far.",
                    ),
                ),
                migrations.AlterField(
                    "submission",
                    "scheduled_for",
                    models.DateTimeField(
                        db_column="due_at",
                        default=django.utils.timezone.now,
                        editable=False,
                        help_text="Its turn in the queue.",
                    ),
                ),
                migrations.AddConstraint(
                    "submission",
                    models.CheckConstraint(
                        name="at_most_three_leases", condition=Q(("tries_used__lte", 3))
                    ),
                ),
                migrations.AddConstraint(
                    "submission",
                    models.CheckConstraint(
                        name="graded_on_a_pack",
                        condition=Q(("verdict__in", ["", "not_graded"]))
                        | Q(("pack__isnull", False), ("tries_used__gte", 1)),
                    ),
                ),
                migrations.AddIndex(
                    "submission",
                    models.Index(
                        name="submissions_in_turn",
                        fields=["slow", "scheduled_for"],
                        condition=Q(("graded_at", None)),
                    ),
                ),
                # So that the new name of the model leaves the table as it is.
                migrations.AlterModelTable("earlierverdict", "exercises_earlierverdict"),
            ],
        ),
        # In the database too: the row of the model's content type is renamed with it.
        migrations.RenameModel("EarlierVerdict", "PreviousVerdict"),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelOptions(
                    "previousverdict",
                    {"ordering": ["-pk"], "verbose_name": "earlier verdict"},
                ),
                migrations.AlterField(
                    "previousverdict",
                    "submission",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="previous_verdicts",
                        to="exercises.submission",
                    ),
                ),
            ],
        ),
    ]
