import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("courses", "0006_subjects_of_older_entries")]

    operations = [
        migrations.AddField(
            model_name="course",
            name="content_token",
            field=models.UUIDField(default=uuid.uuid4, editable=False, null=True),
        ),
    ]
