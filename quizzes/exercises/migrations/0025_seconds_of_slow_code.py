"""What a learner's slow code took, by which later slow code of theirs is due.

From here on visitors' slow code waits in a queue of its own on PostgreSQL, which the version before
does not know. On the way back its jobs move into the queue that it does know.
"""

from django.conf import settings
from django.db import migrations, models

ONE_LINE = """
UPDATE procrastinate_jobs SET queue_name = 'slow'
WHERE queue_name = 'slow-visitors' AND task_name = 'grade'
"""
HAS_JOBS = "procrastinate.contrib.django" in settings.INSTALLED_APPS  # on PostgreSQL alone


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
    if HAS_JOBS:
        operations.append(migrations.RunSQL(migrations.RunSQL.noop, ONE_LINE))
