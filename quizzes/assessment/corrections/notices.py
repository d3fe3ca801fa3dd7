"""Notices to learners about answers that were regraded, and about the corrected key.

An answer that counts differently since a regrade says so, with the note. An answer that the regrade
looked at and left as it was is told the new key as well: nobody reads a wrong key as the right one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.safestring import SafeString

from quizzes.assessment.corrections.comparison import IncomparableError, StoredAnswer
from quizzes.assessment.corrections.keys import CorrectedKey, KeyReader, RegradedSittings
from quizzes.assessment.models import Regrade, RegradedResponse, Response
from quizzes.pages.markdown import render_markdown

AS_BEFORE = "the answer key was corrected; your answer counts as before"
STILL_RIGHT = "the answer key was corrected; your answer still counts as right"
BLANK = "the answer key was corrected"


@dataclass(frozen=True)
class Correction:
    """How an answer counts since a regrade.

    `key` is None where no newer version says what is right.
    """

    at: datetime
    words: str
    note: SafeString
    key: CorrectedKey | None = None

    def score_of(self, response: Response) -> Decimal | None:
        """Return the share that another answer to the older version has earned since then."""
        answer = StoredAnswer(chosen=response.chosen, number=response.number, text=response.text)
        score = self.key.score_of(answer) if self.key is not None else None
        return response.score if score is None else score


def with_regrades(rows: QuerySet[Response]) -> QuerySet[Response]:
    """Return responses with whether anything was regraded that asks what they ask.

    `corrections` then asks of these alone, and most pages cost no query more.
    """
    regrades = Regrade.objects.filter(from_version=OuterRef("version"), undone_at=None).order_by()
    return rows.annotate(may_be_regraded=Exists(regrades))  # type: ignore[no-redef]


def corrections(responses: Iterable[Response]) -> dict[int, Correction]:
    """Return what is told of each of these responses, by its key; give `attempt` with them.

    One query, none where `with_regrades` says so; up to five more where something was regraded.
    """
    rows = [row for row in responses if row.may_be_regraded]
    if not rows:
        return {}
    versions = {row.version_id for row in rows}
    applied = Regrade.objects.filter(from_version__in=versions, undone_at=None)
    regrades = list(applied.select_related("to_version", "from_version").order_by("pk"))
    if not regrades:
        return {}
    changed = {
        row.response_id: row
        for row in RegradedResponse.objects.filter(
            response__in=[row.pk for row in rows], undone_at=None
        ).order_by("regrade")
    }
    sittings = RegradedSittings(regrades)
    pairs = [(row, _regrades_of(row, changed.get(row.pk), regrades, sittings)) for row in rows]
    looked_at = [(row, own) for row, own in pairs if own]
    keys = KeyReader(regrades, [row.instance for row, _ in looked_at if row.instance is not None])
    return {row.pk: _correction(row, own, changed.get(row.pk), keys) for row, own in looked_at}


def _regrades_of(
    response: Response,
    changed: RegradedResponse | None,
    regrades: Iterable[Regrade],
    sittings: RegradedSittings,
) -> list[Regrade]:
    """Return the regrades that changed a response or left it as it was, the newest last."""
    attempt = response.attempt
    at = attempt.ended_at if attempt is not None else response.answered_at
    sitting = attempt.sitting if attempt is not None else None

    def is_left(regrade: Regrade) -> bool:
        if at is None or regrade.to_version_id in {None, regrade.from_version_id}:
            return False
        return at <= regrade.as_of and sittings.has(regrade, sitting)

    return [
        regrade
        for regrade in regrades
        if regrade.from_version_id == response.version_id
        and ((changed is not None and changed.regrade_id == regrade.pk) or is_left(regrade))
    ]


def _correction(
    response: Response,
    regrades: Sequence[Regrade],
    changed: RegradedResponse | None,
    keys: KeyReader,
) -> Correction:
    """Return what is told: how it counts by the newest change, what is right by the newest key."""
    newest = regrades[-1]
    by_key = next((row for row in reversed(regrades) if row.to_version_id is not None), newest)
    of_change = [row for row in regrades if changed is not None and row.pk == changed.regrade_id]
    if changed is not None and of_change:
        at, words, note = of_change[0].at, changed.words, render_markdown(of_change[0].note)
    else:
        words = BLANK if response.answered_at is None else AS_BEFORE
        words = STILL_RIGHT if response.is_right else words
        at, note = newest.at, SafeString()
    try:
        return Correction(at, words, note, keys.key(by_key, response.instance))
    except IncomparableError:
        return Correction(at, words, note)
