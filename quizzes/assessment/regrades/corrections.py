"""What learners are told of answers that were marked anew, and of the key that was put right.

An answer that counts otherwise since a regrade says so, with the note. An answer that the regrade
looked at and left as it was is told the new key as well: nobody reads a wrong key as the right one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.safestring import SafeString

from quizzes.assessment.models import Regrade, RegradedResponse, Response
from quizzes.assessment.regrades.keys import CorrectedKey, KeyReader, RegradedSittings
from quizzes.assessment.regrades.rules import GivenAnswer
from quizzes.pages.markdown import render_markdown

AS_BEFORE = "what is right was corrected; your answer counts as before"
STILL_RIGHT = "what is right was corrected; your answer still counts as right"
BLANK = "what is right was corrected"


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
        """Return what another answer to the older version earns since then."""
        given = GivenAnswer(chosen=response.chosen, number=response.number, text=response.text)
        score = self.key.score_of(given) if self.key is not None else None
        return response.score if score is None else score


def with_regrades(rows: QuerySet[Response]) -> QuerySet[Response]:
    """Return responses with whether anything was marked anew that asks what they ask.

    `corrections` then asks of these alone, and most pages cost no query more.
    """
    found = Regrade.objects.filter(from_version=OuterRef("version"), undone_at=None).order_by()
    return rows.annotate(may_be_regraded=Exists(found))  # type: ignore[no-redef]


def corrections(responses: Iterable[Response]) -> dict[int, Correction]:
    """Return what is told of each of these responses, by its key; give `attempt` with them.

    One query, none where `with_regrades` says so; up to five more where something was marked anew.
    """
    rows = [one for one in responses if one.may_be_regraded]
    if not rows:
        return {}
    regrades = Regrade.objects.filter(from_version__in={one.version_id for one in rows})
    found = list(
        regrades.filter(undone_at=None).select_related("to_version", "from_version").order_by("pk")
    )
    if not found:
        return {}
    changed = {
        row.response_id: row
        for row in RegradedResponse.objects.filter(
            response__in=[one.pk for one in rows], undone_at=None
        ).order_by("regrade")
    }
    sittings = RegradedSittings(found)
    told = {one.pk: _regrades_of(one, changed.get(one.pk), found, sittings) for one in rows}
    looked_at = [one for one in rows if told[one.pk]]
    drawn = [one.instance for one in looked_at if one.instance is not None]
    keys = KeyReader(found, drawn)
    return {one.pk: _correction(one, told[one.pk], changed.get(one.pk), keys) for one in looked_at}


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

    def is_left(one: Regrade) -> bool:
        by_version = one.to_version_id not in {None, one.from_version_id}
        return by_version and at is not None and at <= one.as_of and sittings.has(one, sitting)

    return [
        one
        for one in regrades
        if one.from_version_id == response.version_id
        and ((changed is not None and changed.regrade_id == one.pk) or is_left(one))
    ]


def _correction(
    response: Response,
    regrades: Sequence[Regrade],
    changed: RegradedResponse | None,
    keys: KeyReader,
) -> Correction:
    """Return what is told: how it counts by the newest change, what is right by the newest key."""
    newest = regrades[-1]
    by_key = next((one for one in reversed(regrades) if one.to_version_id is not None), newest)
    of_change = next(
        (one for one in regrades if changed is not None and one.pk == changed.regrade_id), None
    )
    if changed is not None and of_change is not None:
        at, words, note = of_change.at, changed.words, render_markdown(of_change.note)
    else:
        words = BLANK if response.answered_at is None else AS_BEFORE
        words = STILL_RIGHT if response.is_right else words
        at, note = newest.at, SafeString()
    return Correction(at, words, note, keys.key(by_key, response.instance))
