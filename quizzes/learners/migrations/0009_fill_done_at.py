from django.db import migrations
from django.db.models import F, Q

AT_ONCE = 5000  # rows; each batch is a transaction of its own


def fill(apps, _schema_editor):
    """Copy the time of the newest change: of what is done it is the best that is known."""
    rows = apps.get_model("learners", "Progress").objects
    done = rows.filter(state="done", done_at=None)
    last = 0
    while keys := list(
        done.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:AT_ONCE]
    ):
        batch = Q(pk__gt=last, pk__lte=keys[-1])
        done.filter(batch).update(done_at=F("updated_at"))
        last = keys[-1]


class Migration(migrations.Migration):
    atomic = False  # what was filled before an interruption stays

    dependencies = [("learners", "0008_done_at")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
