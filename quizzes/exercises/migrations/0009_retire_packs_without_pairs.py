from django.db import migrations
from django.utils import timezone


def retire_packs(apps, _schema_editor):
    """Take every pack out of its pool: they are in format 2, which the judge reads no longer.

    It lacks what the reference gives on learned numbers filled anew. New ones are made by the
    worker; submissions that met an old one keep naming it.
    """
    packs = apps.get_model("exercises", "CasePack").objects
    packs.filter(retired_at=None).update(retired_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("exercises", "0008_names_of_columns")]

    operations = [migrations.RunPython(retire_packs, migrations.RunPython.noop)]
