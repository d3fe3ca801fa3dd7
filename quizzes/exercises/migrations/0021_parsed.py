from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exercises", "0020_reserved_packs")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="parsed",
            field=models.BooleanField(
                db_default=True,
                default=True,
                editable=False,
                help_text="Off where grading found no program that Python reads; as in the report.",
            ),
        ),
    ]
