"""What learners are told of answers that were marked anew."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.safestring import SafeString

from quizzes.assessment.models import Option, QuestionVersion, Regrade, RegradedResponse
from quizzes.assessment.regrades.rules import OfferedOption, counterparts
from quizzes.pages.markdown import render_markdown


@dataclass(frozen=True)
class Correction:
    """How an answer counts since a regrade.

    `version` is the one that it was marked by, where that asks everybody the same; then `options`
    has, for options of the older version, those of `version` that answer to them. `is_old_right`:
    whether the older key counts as well.
    """

    at: datetime
    words: str
    note: SafeString
    version: QuestionVersion | None = None
    options: Mapping[int, Option] = field(default_factory=dict)
    is_old_right: bool = False


def corrections(responses: Collection[int]) -> dict[int, Correction]:
    """Return what is told of each of these responses that was marked anew, by its key.

    One query, one more where something was marked by a newer version.
    """
    rows = RegradedResponse.objects.filter(response__in=responses, undone_at=None)
    rows = rows.select_related("regrade__to_version", "regrade__from_version").order_by("regrade")
    newest = {row.response_id: row for row in rows}
    options = _options({row.regrade for row in newest.values() if _is_fixed(row.regrade)})
    return {pk: _correction(row, options) for pk, row in newest.items()}


def _is_fixed(regrade: Regrade) -> bool:
    new = regrade.to_version
    return new is not None and not new.is_generated


def _options(regrades: Collection[Regrade]) -> dict[int | None, list[Option]]:
    """Return the options of both versions of these regrades, by version."""
    versions = {pk for one in regrades for pk in (one.from_version_id, one.to_version_id)}
    found: dict[int | None, list[Option]] = {}
    if versions:
        for option in Option.objects.filter(version__in=versions, instance=None):
            found.setdefault(option.version_id, []).append(option)
    return found


def _correction(row: RegradedResponse, options: Mapping[int | None, list[Option]]) -> Correction:
    regrade, note = row.regrade, render_markdown(row.regrade.note)
    if not _is_fixed(regrade):
        return Correction(regrade.at, row.words, note)
    old, new = (options.get(pk, []) for pk in (regrade.from_version_id, regrade.to_version_id))
    by_key = {one.pk: one for one in new}
    to = counterparts(_offered(old), _offered(new))
    return Correction(
        regrade.at,
        row.words,
        note,
        version=regrade.to_version,
        options={pk: by_key[one.pk] for pk, one in to.items()},
        is_old_right=regrade.rule == Regrade.Rule.ACCEPT_BOTH,
    )


def _offered(options: Collection[Option]) -> list[OfferedOption]:
    return [OfferedOption(one.pk, one.text, one.is_key, one.picture) for one in options]
