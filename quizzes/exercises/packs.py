"""Reading stored packs of cases; the ones in use stay in memory."""

from functools import lru_cache

from quizzes.exercises.models import CasePack
from quizzes.grader import case_pack

_known: dict[str, case_pack.IdentifySet] = {}  # by the hash of a version: there are few


@lru_cache(maxsize=64)
def read_pack(pk: int) -> case_pack.CasePack:
    """Return a pack of cases, ready for the judge; raises BadFrame for one that is damaged."""
    stored = CasePack.objects.values_list("data", "version__content_hash").get(pk=pk)
    data, version = bytes(stored[0]), stored[1]
    pack = case_pack.CasePack.from_bytes(data, identify=_known.get(version))
    if pack.content_hash == version:
        _known[version] = pack.identify
    return pack
