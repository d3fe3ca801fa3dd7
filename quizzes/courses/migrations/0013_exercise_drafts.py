from django.db import migrations, models

KINDS = [
    ("question", "Question"),
    ("quiz", "Quiz"),
    ("lesson", "Lesson"),
    ("exercise", "Exercise"),
]


class Migration(migrations.Migration):
    dependencies = [("courses", "0012_folder_and_zip")]

    operations = [
        migrations.AlterField(
            model_name="contentdraft",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=20),
        ),
        migrations.AlterField(
            model_name="edition",
            name="kind",
            field=models.CharField(choices=KINDS, max_length=20),
        ),
    ]
