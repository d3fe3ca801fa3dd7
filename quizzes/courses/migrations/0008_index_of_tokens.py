"""An index from which workers read all tokens of content, without reading the courses."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("courses", "0007_content_token")]

    operations = [
        migrations.AddIndex(
            "course", models.Index(fields=["content_token"], name="courses_by_content_token")
        ),
    ]
