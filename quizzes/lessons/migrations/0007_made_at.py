import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lessons", "0006_defaults_in_the_database")]

    operations = [
        # Without a default at first: what is there already is not new.
        migrations.AddField(
            model_name="lesson",
            name="made_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="lesson",
            name="made_at",
            field=models.DateTimeField(
                default=django.utils.timezone.now, editable=False, null=True
            ),
        ),
    ]
