"""Progress says when a thing was first done."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("learners", "0007_cards_set_aside")]

    operations = [
        migrations.AddField("progress", "done_at", models.DateTimeField(editable=False, null=True)),
    ]
