"""What is right since a regrade: the key of its newer version, for options of the older one.

Which regrade is in force is asked by sitting, since a class may decline one of its whole course.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

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

        None where it cannot be compared and was left as it is.
        """
        try:
            score = new_score(given, self.old, self.new)
        except IncomparableError:
            return Decimal(1) if self.rest == Regrade.Rest.ALL_RIGHT else None
        return max(score, score_of(given, self.old)) if self.is_old_right else score

    def right_options(self) -> frozenset[int]:
        """Return the options of the older version that are right, by their primary keys."""
        if self.old.kind == Kind.MULTIPLE:
            right = {pk for pk, one in self.options.items() if one.pk in self.new.keys}
            return frozenset(right | (self.old.keys if self.is_old_right else set()))
        found = set()
        for one in self.old.options:
            score = self.score_of(GivenAnswer(chosen=(one.pk,)))
            if score == 1 or (score is None and one.pk in self.old.keys):
                found.add(one.pk)
        return frozenset(found)


class RegradedSittings:
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
        versions = {pk for one in by_version for pk in (one.from_version_id, one.to_version_id)} - {
            None
        }
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
            return self._paired(regrade, (None, None), (old.answer, new.answer))
        other = self._instances.get((new.pk, instance.seed))
        if other is None or other.facts != instance.facts:
            return None
        if other.prompt != instance.prompt and not regrade.same_prompt:
            return None
        return self._paired(regrade, (instance.pk, other.pk), (instance.answer, other.answer))

    def _paired(
        self,
        regrade: Regrade,
        instances: tuple[int | None, int | None],
        answers: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
    ) -> CorrectedKey | None:
        old, new = regrade.from_version, regrade.to_version
        if new is None:
            return None
        before = self._options.get((old.pk, instances[0]), [])
        after = self._options.get((new.pk, instances[1]), [])
        asked = question_of(old, before, answers[0]), question_of(new, after, answers[1])
        by_key = {one.pk: one for one in after}
        return CorrectedKey(
            *asked,
            {pk: by_key[one.pk] for pk, one in counterparts(*(q.options for q in asked)).items()},
            is_old_right=regrade.rule == Regrade.Rule.ACCEPT_BOTH,
            rest=regrade.rest,
        )


def _draws(regrade: Regrade) -> bool:
    return regrade.to_version is not None and regrade.to_version.is_generated


def corrected_keys(
    versions: Iterable[QuestionVersion], sittings: Collection[str]
) -> dict[int, CorrectedKey]:
    """Return by which key answers of these sittings to some versions count, by version.

    A version has none where its own key counts, and where each learner had numbers of their own.
    One query, two or three more where something was marked anew.
    """
    regrades = Regrade.objects.filter(
        from_version__in=[one.pk for one in versions], to_version__isnull=False, undone_at=None
    )
    found = list(regrades.select_related("from_version", "to_version").order_by("pk"))
    if not found:
        return {}
    marked = RegradedSittings(found)
    newest = {
        one.from_version_id: one for one in found if any(marked.has(one, at) for at in sittings)
    }
    reader = KeyReader(newest.values())
    keys = {pk: reader.key(regrade) for pk, regrade in newest.items()}
    return {pk: key for pk, key in keys.items() if key is not None and key.new.kind == key.old.kind}
