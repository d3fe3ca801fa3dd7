"""A regrade names its class by key; it was named by slug, which a later class may have again.

The class of some may be deleted: such a regrade gets a key that no class has, minus its own. Back
again, its slug says so.
"""

from django.db import migrations, models


def to_keys(apps, _editor):
    keys = dict(apps.get_model("classes", "Cohort").objects.values_list("slug", "pk"))
    for row in apps.get_model("assessment", "Regrade").objects.exclude(cohort=""):
        row.cohort_id = keys.get(row.cohort, -row.pk)
        row.save(update_fields=["cohort_id"])


def to_slugs(apps, _editor):
    slugs = dict(apps.get_model("classes", "Cohort").objects.values_list("pk", "slug"))
    for row in apps.get_model("assessment", "Regrade").objects.exclude(cohort_id=None):
        row.cohort = slugs.get(row.cohort_id, f"deleted-{row.pk}")
        row.save(update_fields=["cohort"])


class Migration(migrations.Migration):
    dependencies = [
        ("assessment", "0019_sittings_are_keys"),
        ("classes", "0001_people"),
    ]

    operations = [
        migrations.AddField(
            "regrade", "cohort_id", models.BigIntegerField(editable=False, null=True)
        ),
        migrations.RunPython(to_keys, to_slugs),
        migrations.RemoveField("regrade", "cohort"),
    ]
