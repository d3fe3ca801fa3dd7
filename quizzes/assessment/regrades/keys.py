"""What is right since a regrade: the key of its newer version, for options of the older one.

Which regrade is in force is asked by sitting, since a class may decline one of its whole course.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from quizzes.assessment.models import (
    Instance,
    Option,
    QuestionVersion,
    Regrade,
    RegradedResponse,
)
from quizzes.assessment.regrades.plan import question_of
from quizzes.assessment.regrades.rules import (
    AskedQuestion,
    GivenAnswer,
    IncomparableError,
    counterparts,
    new_score,
    score_of,
)
from quizzes.assessment.sittings import siblings_of

Kind = QuestionVersion.Kind


@dataclass(frozen=True)
class CorrectedKey:
    """The key that replaced that of an older version.

    `options` has, for options of the older version by their primary key, those of the newer that
    answer to them. `is_old_right`: whether the older key counts as well. `rest` says how an answer
    counts that cannot be compared.
    """

    old: AskedQuestion
    new: AskedQuestion
    options: Mapping[int, Option]
    is_old_right: bool
    rest: str

    @property
    def answer(self) -> Mapping[str, Any] | None:
        """Return what is right where a number or a text is asked."""
        return self.new.answer

    def score_of(self, given: GivenAnswer) -> Decimal | None:
        """Return what an answer to the older version earns by this key, from 0 to 1.

        None where it cannot be compared, and was left as it is or left out.
        """
        try:
            score = new_score(given, self.old, self.new)
        except IncomparableError:
            return Decimal(1) if self.rest == Regrade.Rest.ALL_RIGHT else None
        return max(score, score_of(given, self.old)) if self.is_old_right else score

    def right_options(self) -> frozenset[int]:
        """Return the options of the older version that are right, by their primary keys.

        Those of the older key where nothing that it offered is right by the newer one.
        """
        old = self.old.keys
        if self.old.kind == Kind.MULTIPLE:
            right = {pk for pk, one in self.options.items() if one.pk in self.new.keys}
            is_offered = len(right) == len(self.new.keys)
        else:
            right = {one.pk for one in self.old.options if self._is_right_by_new(one.pk)}
            is_offered = bool(right)
        if not is_offered:
            return old
        return frozenset(right | old if self.is_old_right else right)

    def _is_right_by_new(self, option: int) -> bool:
        try:
            return new_score(GivenAnswer(chosen=(option,)), self.old, self.new) == 1
        except IncomparableError:
            return False


class RegradedSittings:
    """Which sittings each regrade marked anew, and which of them it no longer does."""

    def __init__(self, regrades: Collection[Regrade]) -> None:
        self._kept: set[tuple[int, int | None]] = set()
        self._declined: set[tuple[int, int | None]] = set()
        rows = RegradedResponse.objects.filter(regrade__in=regrades).order_by()
        for regrade, sitting, undone in rows.values_list(
            "regrade", "response__attempt__sitting", "undone_at"
        ).distinct():
            (self._kept if undone is None else self._declined).add((regrade, sitting))
        # A class declines in all of its sittings; here stand those with an answer that had changed.
        siblings = siblings_of({one for _, one in self._declined}) if self._declined else {}
        self._declined = {
            (regrade, other) for regrade, one in self._declined for other in siblings[one]
        }

    def has(self, regrade: Regrade, sitting: int | None) -> bool:
        """Return whether a regrade still says how answers of a sitting count.

        One of a whole course does unless the class declined it.
        """
        return self.has_any(regrade, (sitting,))

    def has_any(self, regrade: Regrade, sittings: Collection[int | None]) -> bool:
        """Return whether a regrade says how answers of sittings count that are of one class."""
        if any((regrade.pk, one) in self._kept for one in sittings):
            return True
        return not regrade.cohort and not any(
            (regrade.pk, one) in self._declined for one in sittings
        )


class KeyReader:
    """The keys of some regrades; all that they need is read once, in two queries."""

    def __init__(self, regrades: Iterable[Regrade], instances: Iterable[Instance] = ()) -> None:
        by_version = [one for one in regrades if one.to_version is not None]
        self._instances: dict[tuple[int, int], Instance] = {}
        drawn = list(instances)
        new = {one.to_version_id for one in by_version if _draws(one)}
        if drawn and new:
            seeds = {one.seed for one in drawn}
            for one in Instance.objects.filter(version__in=new, seed__in=seeds).order_by():
                self._instances[one.version_id, one.seed] = one
        versions = {pk for one in by_version for pk in (one.from_version_id, one.to_version_id)}
        keys = {one.pk for one in (*drawn, *self._instances.values())}
        self._options: dict[tuple[int | None, int | None], list[Option]] = {}
        if versions:
            fixed = Option.objects.filter(version__in=versions, instance=None)
            offered = Option.objects.filter(instance__in=keys)
            for option in (fixed | offered) if keys else fixed:
                key = option.version_id, option.instance_id
                self._options.setdefault(key, []).append(option)

    def key(self, regrade: Regrade, instance: Instance | None = None) -> CorrectedKey | None:
        """Return the key by which a regrade marked its version, or one set of numbers of it.

        None where the newer version asks nothing that can be compared.
        """
        old, new = regrade.from_version, regrade.to_version
        if new is None or new.is_generated != (instance is not None):
            return None
        if instance is None:
            return self._paired(regrade, new, (None, None), (old.answer, new.answer))
        other = self._instances.get((new.pk, instance.seed))
        if other is None or other.facts != instance.facts:
            return None
        if other.prompt != instance.prompt and not regrade.same_prompt:
            return None
        instances, answers = (instance.pk, other.pk), (instance.answer, other.answer)
        return self._paired(regrade, new, instances, answers)

    def _paired(
        self,
        regrade: Regrade,
        new: QuestionVersion,
        instances: tuple[int | None, int | None],
        answers: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
    ) -> CorrectedKey:
        old = regrade.from_version
        before = self._options.get((old.pk, instances[0]), [])
        after = self._options.get((new.pk, instances[1]), [])
        asked = question_of(old, before, answers[0]), question_of(new, after, answers[1])
        by_key = {one.pk: one for one in after}
        to = counterparts(asked[0].options, asked[1].options)
        return CorrectedKey(
            *asked,
            {pk: by_key[one.pk] for pk, one in to.items()},
            is_old_right=regrade.rule == Regrade.Rule.ACCEPT_BOTH,
            rest=regrade.rest,
        )


def _draws(regrade: Regrade) -> bool:
    return regrade.to_version is not None and regrade.to_version.is_generated


class HandedIn(NamedTuple):
    """That a version was answered in an attempt of a sitting that ended at a time."""

    version: int
    sitting: int | None
    ended_at: datetime


def corrected_keys(answered: Collection[HandedIn]) -> dict[int, CorrectedKey]:
    """Return by which key these answers of one class count since a regrade, by version.

    A version has none where its own key counts: nothing that a regrade looked at is among them, or
    each learner had numbers of their own. One query, two more where something was marked anew.
    """
    regrades = Regrade.objects.filter(
        from_version__in={one.version for one in answered}, to_version__isnull=False, undone_at=None
    )
    found = list(regrades.select_related("from_version", "to_version").order_by("pk"))
    if not found:
        return {}
    marked = RegradedSittings(found)
    newest: dict[int, Regrade] = {}
    for regrade in found:
        looked_at = {
            one.sitting
            for one in answered
            if one.version == regrade.from_version_id and one.ended_at <= regrade.as_of
        }
        if looked_at and marked.has_any(regrade, looked_at):
            newest[regrade.from_version_id] = regrade
    reader = KeyReader(newest.values())
    keys = {pk: reader.key(regrade) for pk, regrade in newest.items()}
    return {pk: key for pk, key in keys.items() if key is not None and key.new.kind == key.old.kind}
