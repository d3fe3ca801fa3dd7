import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assessment", "0013_defaults_in_the_database")]

    operations = [
        # Without a default at first: what is there already is not new.
        migrations.AddField(
            model_name="quiz",
            name="made_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="quiz",
            name="made_at",
            field=models.DateTimeField(
                default=django.utils.timezone.now, editable=False, null=True
            ),
        ),
        migrations.AddField(
            model_name="quizdraft",
            name="publish_when_closed",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
