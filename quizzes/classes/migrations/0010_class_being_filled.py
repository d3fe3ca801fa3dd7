from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classes", "0009_deeper_steps"),
    ]

    operations = [
        migrations.AddField(
            model_name="cohort",
            name="is_being_filled",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
