from datetime import timedelta

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def end_links(apps, _schema_editor):
    """Let links of before work for as long as new ones do."""
    rows = apps.get_model("classes", "Membership").objects.exclude(invite_token="")
    rows.update(invite_ends_at=django.utils.timezone.now() + timedelta(days=30))


class Migration(migrations.Migration):
    dependencies = [
        ("classes", "0006_fair_dates"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="membership",
            name="invite_ends_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(end_links, migrations.RunPython.noop),
        migrations.CreateModel(
            name="LinkRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("done", "Done"),
                            ("stopped", "Stopped"),
                            ("archived", "Archived"),
                            ("no_instructor", "No Instructor"),
                            ("no_server", "No Server"),
                        ],
                        max_length=15,
                    ),
                ),
                ("total", models.PositiveIntegerField()),
                ("sent", models.PositiveIntegerField(default=0)),
                ("refused", models.PositiveIntegerField(default=0)),
                ("uncertain", models.PositiveIntegerField(default=0)),
                ("server_failures", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "cohort",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="link_runs",
                        to="classes.cohort",
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="LinkMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=254)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sending", "Sending"),
                            ("sent", "Sent"),
                            ("refused", "Refused"),
                            ("uncertain", "Uncertain"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent_at", models.DateTimeField(null=True)),
                ("problem", models.CharField(blank=True, max_length=300)),
                (
                    "membership",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="link_mail",
                        to="classes.membership",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mails",
                        to="classes.linkrun",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="linkrun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("cohort",),
                name="one_open_run_of_a_class",
            ),
        ),
        migrations.AddConstraint(
            model_name="linkrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ended_at", None), models.Q(("end", ""), _negated=True), _connector="OR"
                ),
                name="ended_run_says_how",
            ),
        ),
        migrations.AddIndex(
            model_name="linkmail",
            index=models.Index(fields=["state", "due_at"], name="link_mail_by_its_turn"),
        ),
        migrations.AddConstraint(
            model_name="linkmail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("sent_at__isnull", False), ("state", "sent")),
                    models.Q(models.Q(("state", "sent"), _negated=True), ("sent_at", None)),
                    _connector="OR",
                ),
                name="sent_link_has_its_time",
            ),
        ),
    ]
