"""Shared numbers may be those of an exercise's figure, in the frame of its view."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exercises", "0031_lab")]

    operations = [
        migrations.AddField("sharednumbers", "figure", models.JSONField(null=True, editable=False)),
    ]
