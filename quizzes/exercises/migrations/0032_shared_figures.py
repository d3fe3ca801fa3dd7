"""Shared numbers may be those of an exercise's figure, in the frame of its view.

On the way back these are deleted: the version before would show them as tables of positions.
"""

from django.db import migrations, models


def delete_shared_figures(apps, editor):
    """Delete the shared numbers that are no table, and their links with them."""
    if editor.connection.vendor == "postgresql":  # or the table could not be altered after it
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    apps.get_model("exercises", "SharedNumbers").objects.filter(figure__isnull=False).delete()


class Migration(migrations.Migration):
    dependencies = [("exercises", "0031_lab")]

    operations = [
        migrations.AddField("sharednumbers", "figure", models.JSONField(null=True, editable=False)),
        migrations.RunPython(migrations.RunPython.noop, delete_shared_figures, elidable=True),
    ]
