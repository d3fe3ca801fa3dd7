from django.db import migrations


def fill(apps, _schema_editor):
    """The column is new; the reports knew it already."""
    submissions = apps.get_model("exercises", "Submission").objects
    told = submissions.filter(known_mistake="", report__known_mistake__slug__isnull=False)
    for pk, slug in told.values_list("pk", "report__known_mistake__slug").iterator():
        submissions.filter(pk=pk).update(known_mistake=slug)


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0002_drafts_slow_lane_earlier_verdicts"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
