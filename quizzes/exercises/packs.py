"""Reading stored packs of cases; the ones in use stay in memory."""

from functools import lru_cache

from quizzes.exercises.models import CasePack
from quizzes.grader import case_pack


@lru_cache(maxsize=64)
def read_pack(pk: int) -> case_pack.CasePack:
    """Return a pack of cases, ready for the judge; raises BadFrame for one that is damaged."""
    data = CasePack.objects.values_list("data", flat=True).get(pk=pk)
    return case_pack.CasePack.from_bytes(bytes(data))
