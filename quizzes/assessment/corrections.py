"""What learners are told of answers that were marked anew."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from quizzes.assessment.models import Option, QuestionVersion, RegradedResponse
from quizzes.assessment.numeric_answer import answer_from_json
from quizzes.assessment.text_answer import text_answer_from_json
from quizzes.pages.markdown import render_inline, render_markdown


@dataclass(frozen=True)
class Correction:
    """How an answer counts since a regrade. `keys`: what is right now, "" parts left out."""

    at: datetime
    words: str
    keys: tuple[SafeString, ...]
    note: SafeString


def newest_corrections(responses: Collection[int]) -> dict[int, RegradedResponse]:
    """Return the regrade that counts now of each of these responses that has one. One query."""
    rows = RegradedResponse.objects.filter(response__in=responses, undone_at=None)
    rows = rows.select_related("regrade__to_version").order_by("regrade")
    return {row.response_id: row for row in rows}


def corrections(responses: Collection[int]) -> dict[int, Correction]:
    """Return what is told of each of these responses that was marked anew. At most two queries."""
    newest = newest_corrections(responses)
    newer = {one.regrade.to_version for one in newest.values() if one.regrade.to_version}
    keys: dict[int, list[SafeString]] = {}
    if newer:
        rows = Option.objects.filter(version__in=newer, instance=None, is_key=True)
        for option in rows:
            keys.setdefault(option.version_id, []).append(render_inline(option.text))
    for version in newer:
        keys.setdefault(version.pk, []).extend(_typed_key(version))
    return {
        pk: Correction(
            at=one.regrade.at,
            words=one.words,
            keys=tuple(keys.get(one.regrade.to_version_id or 0, ())),
            note=render_markdown(one.regrade.note),
        )
        for pk, one in newest.items()
    }


def _typed_key(version: QuestionVersion) -> list[SafeString]:
    """Return the right number or text of a version that asks everybody the same."""
    if not version.answer or version.is_generated:
        return []
    if version.kind == QuestionVersion.Kind.NUMERIC:
        answer = answer_from_json(version.answer)
        return [render_inline(f"{answer.interval} {answer.unit}".strip())]
    return [render_inline(one) for one in text_answer_from_json(version.answer).shown]
