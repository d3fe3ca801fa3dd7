from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classes", "0004_old_rules"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="membership",
            name="deleted_person_has_a_number_and_no_name",
        ),
        migrations.AddField(
            model_name="cohort",
            name="roster_columns",
            field=models.JSONField(blank=True, db_default=[], default=list, editable=False),
        ),
        migrations.AddField(
            model_name="membership",
            name="family_name",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=200
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="given_name",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=200
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        models.Q(("state", "deleted"), _negated=True), ("deleted_number", None)
                    ),
                    models.Q(
                        ("deleted_number__isnull", False),
                        ("email", ""),
                        ("external_id", ""),
                        ("family_name", ""),
                        ("given_name", ""),
                        ("invite_token", ""),
                        ("login_id", ""),
                        ("name", ""),
                        ("section", ""),
                        ("state", "deleted"),
                    ),
                    _connector="OR",
                ),
                name="deleted_person_has_a_number_and_no_name",
            ),
        ),
    ]
