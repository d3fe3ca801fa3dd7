"""Cards about a withdrawn question wait for it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("learners", "0006_names_within_a_course")]

    operations = [
        migrations.AddField("reviewcard", "is_set_aside", models.BooleanField(default=False)),
    ]
