"""When an account first signed in, and what its name looks like."""

from django.db import migrations, models

from quizzes.learners.name_likeness import likeness_of

BATCH = 500


def fill_likenesses(apps, _schema_editor):
    user_model = apps.get_model("learners", "User")
    batch = []
    for user in user_model.objects.only("pk", "username").iterator(chunk_size=BATCH):
        user.likeness = likeness_of(user.username)
        batch.append(user)
        if len(batch) == BATCH:
            user_model.objects.bulk_update(batch, ["likeness"])
            batch = []
    user_model.objects.bulk_update(batch, ["likeness"])


class Migration(migrations.Migration):
    dependencies = [("learners", "0010_budgets")]

    operations = [
        migrations.AddField(
            "user",
            "first_signed_in_at",
            models.DateTimeField(null=True, blank=True, editable=False),
        ),
        migrations.AddField(
            "user",
            "likeness",
            models.CharField(max_length=150, default="", editable=False),
        ),
        migrations.RunPython(fill_likenesses, migrations.RunPython.noop),
        migrations.AddIndex("user", models.Index(name="users_by_likeness", fields=["likeness"])),
    ]
