"""What learners are told of answers that were marked anew, and of the key that was put right.

An answer that counts otherwise since a regrade says so, with the note. An answer that the regrade
looked at and left as it was is told the new key as well: nobody reads a wrong key as the right one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.safestring import SafeString

from quizzes.assessment.models import (
    Instance,
    Option,
    QuestionVersion,
    Regrade,
    RegradedResponse,
    Response,
)
from quizzes.assessment.regrades.plan import question_of
from quizzes.assessment.regrades.rules import (
    AskedQuestion,
    GivenAnswer,
    IncomparableError,
    counterparts,
    new_score,
)
from quizzes.pages.markdown import render_markdown

Rule = Regrade.Rule
AS_BEFORE = "what is right was corrected; your answer counts as before"
BLANK = "what is right was corrected"
FLAG = "of_a_regraded_version"


@dataclass(frozen=True)
class Correction:
    """How an answer counts since a regrade.

    `answer` is the right number or text by the version that marked it anew, and `options` has, for
    options of the older version, those of the newer that answer to them; both are empty where no
    version did. `is_old_right`: whether the older key counts as well.
    """

    at: datetime
    words: str
    note: SafeString
    answer: Mapping[str, Any] | None = None
    options: Mapping[int, Option] = field(default_factory=dict)
    is_old_right: bool = False
    old: AskedQuestion | None = None
    new: AskedQuestion | None = None
    is_all_right: bool = False

    def score_of(self, response: Response) -> Decimal | None:
        """Return what another answer to the older version earns since then."""
        if self.is_all_right:
            return Decimal(1)
        if self.old is None or self.new is None:
            return response.score
        given = GivenAnswer(chosen=response.chosen, number=response.number, text=response.text)
        try:
            score = new_score(given, self.old, self.new)
        except IncomparableError:
            return response.score
        return max(score, response.score or Decimal(0)) if self.is_old_right else score


def with_regrades(rows: QuerySet[Response]) -> QuerySet[Response]:
    """Return responses with whether anything was marked anew that asks what they ask.

    `corrections` then asks of these alone, and most pages cost no query more.
    """
    found = Regrade.objects.filter(from_version=OuterRef("version"), undone_at=None).order_by()
    return rows.annotate(**{FLAG: Exists(found)})


def corrections(responses: Iterable[Response]) -> dict[int, Correction]:
    """Return what is told of each of these responses, by its key; give `attempt` with them.

    One query, none where `with_regrades` says so; up to five more where something was marked anew.
    """
    rows = [one for one in responses if vars(one).get(FLAG, True)]
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
    sittings = _Sittings(found)
    told = {one.pk: _regrades_of(one, changed.get(one.pk), found, sittings) for one in rows}
    looked_at = [one for one in rows if told[one.pk]]
    keys = _Keys(looked_at, found)
    return {one.pk: _correction(one, told[one.pk], changed.get(one.pk), keys) for one in looked_at}


class _Sittings:
    """Which sittings each regrade marked anew, and which of them it no longer does."""

    def __init__(self, regrades: Collection[Regrade]) -> None:
        self._kept: set[tuple[int, str]] = set()
        self._declined: set[tuple[int, str]] = set()
        rows = RegradedResponse.objects.filter(regrade__in=regrades).order_by()
        for regrade, sitting, undone in rows.values_list(
            "regrade", "response__attempt__sitting", "undone_at"
        ).distinct():
            (self._kept if undone is None else self._declined).add((regrade, sitting or ""))

    def has(self, regrade: Regrade, sitting: str) -> bool:
        """Return whether a regrade still says how answers of a sitting count.

        One of a whole course does unless the class declined it.
        """
        if (regrade.pk, sitting) in self._kept:
            return True
        return not regrade.cohort and (regrade.pk, sitting) not in self._declined


def _regrades_of(
    response: Response,
    changed: RegradedResponse | None,
    regrades: Iterable[Regrade],
    sittings: _Sittings,
) -> list[Regrade]:
    """Return the regrades that changed a response or left it as it was, the newest last."""
    attempt = response.attempt
    at = attempt.ended_at if attempt is not None else response.answered_at
    sitting = attempt.sitting if attempt is not None else ""

    def is_left(one: Regrade) -> bool:
        by_version = one.to_version_id is not None
        return by_version and at is not None and at <= one.as_of and sittings.has(one, sitting)

    return [
        one
        for one in regrades
        if one.from_version_id == response.version_id
        and ((changed is not None and changed.regrade_id == one.pk) or is_left(one))
    ]


class _Keys:
    """What was asked before and by the newer version, for each response that is told of it."""

    def __init__(self, rows: Collection[Response], regrades: Collection[Regrade]) -> None:
        by_version = [one for one in regrades if one.to_version is not None]
        self._instances: dict[tuple[int, int], Instance] = {}
        drawn = [one.instance for one in rows if one.instance is not None]
        new = {one.to_version_id for one in by_version if _draws(one)}
        if drawn and new:
            seeds = {one.seed for one in drawn}
            for one in Instance.objects.filter(version__in=new, seed__in=seeds).order_by():
                self._instances[one.version_id, one.seed] = one
        versions = {pk for one in by_version for pk in (one.from_version_id, one.to_version_id)} - {
            None
        }
        instances = {one.pk for one in (*drawn, *self._instances.values())}
        self._options: dict[tuple[int | None, int | None], list[Option]] = {}
        if versions:
            fixed = Option.objects.filter(version__in=versions, instance=None)
            offered = Option.objects.filter(instance__in=instances)
            for option in (fixed | offered) if instances else fixed:
                key = option.version_id, option.instance_id
                self._options.setdefault(key, []).append(option)

    def pair(
        self, response: Response, regrade: Regrade
    ) -> tuple[AskedQuestion, AskedQuestion, Mapping[int, Option]] | None:
        """Return what was asked before, what is now, and which option answers to which.

        None where the newer version asks nothing that can be compared.
        """
        new = regrade.to_version
        if new is None or new.is_generated != (response.instance is not None):
            return None
        old = response.version
        instance = response.instance
        if instance is None:
            return self._paired(old, new, (None, None), (old.answer, new.answer))
        other = self._instances.get((new.pk, instance.seed))
        if other is None or other.facts != instance.facts:
            return None
        if other.prompt != instance.prompt and not regrade.same_prompt:
            return None
        return self._paired(old, new, (instance.pk, other.pk), (instance.answer, other.answer))

    def _paired(
        self,
        old: QuestionVersion,
        new: QuestionVersion,
        instances: tuple[int | None, int | None],
        answers: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
    ) -> tuple[AskedQuestion, AskedQuestion, Mapping[int, Option]]:
        before = self._options.get((old.pk, instances[0]), [])
        after = self._options.get((new.pk, instances[1]), [])
        asked = question_of(old, before, answers[0]), question_of(new, after, answers[1])
        by_key = {one.pk: one for one in after}
        to = counterparts(asked[0].options, asked[1].options)
        return *asked, {pk: by_key[one.pk] for pk, one in to.items()}


def _draws(regrade: Regrade) -> bool:
    return regrade.to_version is not None and regrade.to_version.is_generated


def _correction(
    response: Response,
    regrades: Sequence[Regrade],
    changed: RegradedResponse | None,
    keys: _Keys,
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
        words = AS_BEFORE if response.answered_at is not None else BLANK
        at, note = newest.at, SafeString()
    pair = keys.pair(response, by_key)
    old, new, options = pair if pair is not None else (None, None, {})
    return Correction(
        at=at,
        words=words,
        note=note,
        answer=new.answer if new is not None else None,
        options=options,
        is_old_right=by_key.rule == Rule.ACCEPT_BOTH,
        old=old,
        new=new,
        is_all_right=newest.rule == Rule.ALL_RIGHT,
    )
