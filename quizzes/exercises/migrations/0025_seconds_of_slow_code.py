"""What a learner's slow code took, by which later slow code of theirs is due."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exercises", "0024_idle_workers")]

    operations = [
        migrations.AddField(
            "submission",
            "slow_seconds",
            models.FloatField(
                editable=False,
                help_text="What its run in the slow lane took, by the clock on the wall.",
                null=True,
            ),
        ),
    ]
