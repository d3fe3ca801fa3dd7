"""Old Checks, the last days and our failures are found without reading all submissions."""

from django.db import migrations, models


class AddIndexBesideWriters(migrations.AddIndex):
    """On PostgreSQL: build it while submissions come in, which takes seconds with millions of them.

    An interrupted build leaves an index that nobody may use; it makes room for the next.
    """

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        name = schema_editor.quote_name(self.index.name)
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        model = to_state.apps.get_model(app_label, self.model_name)
        schema_editor.add_index(model, self.index, concurrently=True)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("exercises", "0015_processes_and_periodic_tasks")]

    operations = [
        AddIndexBesideWriters(
            "submission",
            models.Index(name="submissions_by_time", fields=["kind", "submitted_at"]),
        ),
        AddIndexBesideWriters(
            "submission",
            models.Index(
                name="failures_of_ours", fields=["id"], condition=models.Q(verdict="not_graded")
            ),
        ),
    ]
