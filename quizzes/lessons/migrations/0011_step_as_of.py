from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lessons", "0010_released_models")]

    operations = [
        migrations.AddField(
            model_name="step",
            name="as_of",
            field=models.DateField(null=True),
        ),
    ]
