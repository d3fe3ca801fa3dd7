from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lessons", "0007_made_at")]

    operations = [
        migrations.AddField(
            model_name="step",
            name="going_deeper",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="lesson",
            name="form",
            field=models.CharField(
                choices=[("steps", "Steps"), ("cards", "Cards"), ("reference", "Reference")],
                default="steps",
                max_length=10,
            ),
        ),
    ]
