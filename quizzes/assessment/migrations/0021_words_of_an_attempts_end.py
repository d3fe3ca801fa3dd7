from django.db import migrations, models


class Migration(migrations.Migration):
    """New words for the same stored values: the database does not change."""

    dependencies = [("assessment", "0020_class_of_a_regrade_by_key")]

    operations = [
        migrations.AlterField(
            "attempt",
            "ended_by",
            models.CharField(
                blank=True,
                choices=[("learner", "submitted"), ("time", "ended by its time")],
                db_default="",
                default="",
                editable=False,
                max_length=10,
            ),
        ),
    ]
