from django.db import migrations, models
from django.db.models.functions import Now


def keep(apps, _schema_editor):
    """Keep the rules of before for work that is over by now."""
    apps.get_model("classes", "Assignment").objects.update(old_rules_until=Now())


class Migration(migrations.Migration):
    dependencies = [("classes", "0003_deeds")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="old_rules_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
