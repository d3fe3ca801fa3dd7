from django.db import migrations
from django.db.models import Exists, OuterRef


def note_which_answers_are_right(apps, _schema_editor):
    """Say of every answer so far, all of them choices, whether it was the key.

    In one statement, and in a migration of its own: PostgreSQL alters no table and makes no index
    while a row changed twice in the same transaction waits for its foreign keys to be checked.
    """
    Response = apps.get_model("assessment", "Response")
    Option = apps.get_model("assessment", "Option")
    key = Option.objects.filter(pk=OuterRef("choice"), is_key=True)
    Response.objects.filter(choice__isnull=False).update(is_right=Exists(key))


class Migration(migrations.Migration):
    dependencies = [("assessment", "0003_numeric_and_generated")]

    operations = [
        migrations.RunPython(note_which_answers_are_right, migrations.RunPython.noop),
    ]
