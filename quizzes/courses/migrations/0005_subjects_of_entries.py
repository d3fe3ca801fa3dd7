from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("courses", "0004_audit_entry")]

    operations = [
        migrations.AddField(
            model_name="auditentry",
            name="subjects",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]
