"""A regrade of code names its class by key, as those of answers do (assessment 0020)."""

from django.db import migrations, models

UNDER_WAY = ["trying", "applying", "undoing"]
COURSE = models.UniqueConstraint(
    fields=["exercise"],
    condition=models.Q(state__in=UNDER_WAY, cohort_id=None),
    name="one_code_regrade_under_way",
)
CLASS = models.UniqueConstraint(
    fields=["exercise", "cohort_id"],
    condition=models.Q(state__in=UNDER_WAY, cohort_id__isnull=False),
    name="one_code_regrade_under_way_in_a_class",
)


def to_keys(apps, _editor):
    keys = dict(apps.get_model("classes", "Cohort").objects.values_list("slug", "pk"))
    for row in apps.get_model("exercises", "CodeRegrade").objects.exclude(cohort=""):
        row.cohort_id = keys.get(row.cohort, -row.pk)
        row.save(update_fields=["cohort_id"])


def to_slugs(apps, _editor):
    slugs = dict(apps.get_model("classes", "Cohort").objects.values_list("pk", "slug"))
    for row in apps.get_model("exercises", "CodeRegrade").objects.exclude(cohort_id=None):
        row.cohort = slugs.get(row.cohort_id, f"deleted-{row.pk}")
        row.save(update_fields=["cohort"])


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0022_fill_parsed"),
        ("classes", "0001_people"),
    ]

    operations = [
        migrations.AddField(
            "coderegrade", "cohort_id", models.BigIntegerField(editable=False, null=True)
        ),
        # Back again, the slugs are there before the constraint on them.
        migrations.RemoveConstraint("coderegrade", "one_code_regrade_under_way"),
        migrations.RunPython(to_keys, to_slugs),
        migrations.RemoveField("coderegrade", "cohort"),
        migrations.AddConstraint("coderegrade", COURSE),
        migrations.AddConstraint("coderegrade", CLASS),
    ]
