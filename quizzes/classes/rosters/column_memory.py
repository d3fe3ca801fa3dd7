"""What the columns of rosters mean that a person chose: kept for the class, newest first."""

from django.db import transaction

from quizzes.classes.models import Cohort
from quizzes.classes.rosters.columns import Columns, plain_name

MOST_FILES = 10


@transaction.atomic
def remember_columns(*, cohort: Cohort, columns: Columns) -> None:
    """Store the chosen meanings for files with these columns, in place of an earlier choice."""
    held = Cohort.objects.select_for_update().get(pk=cohort.pk)
    names = [plain_name(name) for name in columns.names] if columns.has_header else []
    count = len(columns.meanings)
    others = [
        one for one in held.roster_columns if one["names"] != names or len(one["meanings"]) != count
    ]
    chosen = {"names": names, "meanings": list(columns.meanings)}
    cohort.roster_columns = [chosen, *others][:MOST_FILES]
    cohort.save(update_fields=["roster_columns"])
