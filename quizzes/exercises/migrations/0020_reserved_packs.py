from django.db import migrations, models
from django.utils import timezone


def retire_packs(apps, _schema_editor):
    """Take every pack out of its pool: submissions could read the seed that draws its cases.

    New ones are made by the worker; submissions that met an old one keep naming it.
    """
    packs = apps.get_model("exercises", "CasePack").objects
    packs.filter(retired_at=None).update(retired_at=timezone.now())


def cancel_regrades(apps, _schema_editor):
    """Cancel regrades of code that are under way: their packs are of a format that is read no more.

    Nothing was changed by them yet, and they can be begun again.
    """
    regrades = apps.get_model("exercises", "CodeRegrade").objects.filter(state="trying")
    apps.get_model("exercises", "TrialVerdict").objects.filter(regrade__in=regrades).delete()
    regrades.update(state="cancelled")


class Migration(migrations.Migration):
    dependencies = [("exercises", "0019_jobs_in_order")]

    operations = [
        migrations.AddField(
            model_name="casepack",
            name="is_reserved",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="For one submission of work of a class.",
            ),
        ),
        migrations.AddField(
            model_name="submission",
            name="own_pack",
            field=models.BooleanField(
                db_default=False,
                default=False,
                editable=False,
                help_text="It counts in a class, so its cases have served nobody before.",
            ),
        ),
        migrations.AlterField(
            model_name="casepack",
            name="data",
            field=models.BinaryField(null=True),
        ),
        migrations.AddIndex(
            model_name="casepack",
            index=models.Index(
                condition=models.Q(("data__isnull", False), ("is_reserved", True)),
                fields=["version"],
                name="packs_with_data_of_work",
            ),
        ),
        migrations.RunPython(retire_packs, migrations.RunPython.noop),
        migrations.RunPython(cancel_regrades, migrations.RunPython.noop),
    ]
