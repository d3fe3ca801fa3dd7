from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("classes", "0008_deed_words")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="includes_deeper",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                name="deeper_steps_are_of_lessons",
                condition=Q(lesson__isnull=False) | Q(includes_deeper=False),
            ),
        ),
    ]
