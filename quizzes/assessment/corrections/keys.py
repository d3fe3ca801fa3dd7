"""What is right since a regrade: the key of its newer version, for options of the older one.

Which regrade is in force is asked by sitting, since a class may decline one of its whole course.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from quizzes.assessment.corrections.comparison import (
    ComparedQuestion,
    IncomparableError,
    StoredAnswer,
    counterparts,
    new_score,
    question_of,
    score_of,
)
from quizzes.assessment.models import (
    Instance,
    Option,
    QuestionVersion,
    Regrade,
    RegradedResponse,
)
from quizzes.assessment.sittings import siblings_of

Kind = QuestionVersion.Kind
AT_ONCE = 500  # rows named in one statement
OTHER_FACTS = "the new version draws different numbers"
OTHER_PROMPT = "the new question is worded differently"


def pieces(keys: Sequence[int], size: int = AT_ONCE) -> Iterable[Sequence[int]]:
    """Yield keys in pieces that one statement may name."""
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


@dataclass(frozen=True)
class CorrectedKey:
    """The key that replaced that of an older version.

    `options` has, for options of the older version by their primary key, those of the newer that
    answer to them. `is_old_right`: whether the older key counts as well. `rest` says how an answer
    counts that cannot be compared.
    """

    old: ComparedQuestion
    new: ComparedQuestion
    options: Mapping[int, Option]
    is_old_right: bool
    rest: str

    @property
    def answer(self) -> Mapping[str, Any] | None:
        """Return the right answer where a number or a text is asked for."""
        return self.new.answer

    def score_of(self, response: StoredAnswer) -> Decimal | None:
        """Return the share that an answer to the older version earns by this key, from 0 to 1.

        None where it cannot be compared, and was left as it is or left out.
        """
        try:
            return self.compare(response)
        except IncomparableError:
            return Decimal(1) if self.rest == Regrade.Rest.ALL_RIGHT else None

    def compare(self, response: StoredAnswer) -> Decimal:
        """Return the same score. Raises IncomparableError."""
        score = new_score(response, self.old, self.new)
        return max(score, score_of(response, self.old)) if self.is_old_right else score

    def right_options(self) -> frozenset[int]:
        """Return the options of the older version that are right, by their primary keys.

        Those of the older key where nothing that it offered is right by the newer one.
        """
        old = self.old.keys
        if self.old.kind == Kind.MULTIPLE:
            right = {pk for pk, option in self.options.items() if option.pk in self.new.keys}
            is_offered = len(right) == len(self.new.keys)
        else:
            right = {option.pk for option in self.old.options if self._is_right_by_new(option.pk)}
            is_offered = bool(right)
        if not is_offered:
            return old
        return frozenset(right | old if self.is_old_right else right)

    def _is_right_by_new(self, option: int) -> bool:
        try:
            return new_score(StoredAnswer(chosen=(option,)), self.old, self.new) == 1
        except IncomparableError:
            return False


class RegradedSittings:
    """The sittings that each regrade is about, without those that declined it."""

    def __init__(self, regrades: Collection[Regrade]) -> None:
        self._kept: set[tuple[int, int | None]] = set()
        self._declined: set[tuple[int, int | None]] = set()
        rows = RegradedResponse.objects.filter(regrade__in=regrades).order_by()
        for regrade, sitting, undone in rows.values_list(
            "regrade", "response__attempt__sitting", "undone_at"
        ).distinct():
            (self._kept if undone is None else self._declined).add((regrade, sitting))
        # A class declines in all of its sittings; here stand those with an answer that had changed.
        siblings = siblings_of({sitting for _, sitting in self._declined}) if self._declined else {}
        self._declined = {
            (regrade, other) for regrade, sitting in self._declined for other in siblings[sitting]
        }

    def has(self, regrade: Regrade, sitting: int | None) -> bool:
        """Return whether a regrade still says how answers of a sitting count.

        One of a whole course does unless the class declined it.
        """
        return self.has_any(regrade, (sitting,))

    def has_any(self, regrade: Regrade, sittings: Collection[int | None]) -> bool:
        """Return whether a regrade says how answers of sittings count that are of one class."""
        if any((regrade.pk, sitting) in self._kept for sitting in sittings):
            return True
        return regrade.cohort_id is None and not any(
            (regrade.pk, sitting) in self._declined for sitting in sittings
        )


class NotDrawnError(IncomparableError):
    """A worker has not drawn these numbers by the newer version's program."""


class KeyReader:
    """The keys of some regrades; all that they need is read once, in two queries for 500 rows."""

    def __init__(self, regrades: Iterable[Regrade], instances: Iterable[Instance] = ()) -> None:
        by_version = [regrade for regrade in regrades if regrade.to_version is not None]
        self._instances: dict[tuple[int, int], Instance] = {}
        self._keys: dict[tuple[int | None, int | None], CorrectedKey] = {}
        self._options: dict[tuple[int | None, int | None], list[Option]] = {}
        old = {instance.pk: instance for instance in instances}
        new = {regrade.to_version_id for regrade in by_version if _draws(regrade)}
        for seeds in pieces(sorted({instance.seed for instance in old.values()} if new else ())):
            for row in Instance.objects.filter(version__in=new, seed__in=seeds).order_by():
                self._instances[row.version_id, row.seed] = row
        versions = {pk for row in by_version for pk in (row.from_version_id, row.to_version_id)}
        if versions:
            self._read(Option.objects.filter(version__in=versions, instance=None))
            drawn = (instance.pk for instance in self._instances.values())
            for keys in pieces(sorted({*old, *drawn})):
                self._read(Option.objects.filter(instance__in=keys))

    def _read(self, options: Iterable[Option]) -> None:
        for option in options:
            key = option.version_id, option.instance_id
            self._options.setdefault(key, []).append(option)

    def key(self, regrade: Regrade, instance: Instance | None = None) -> CorrectedKey:
        """Return the key by which a regrade marked its version, or one set of numbers of it.

        Raises IncomparableError where the newer version asks nothing that can be compared.
        """
        place = regrade.pk, instance.pk if instance is not None else None
        if place not in self._keys:
            self._keys[place] = self._pair(regrade, instance)
        return self._keys[place]

    def _pair(self, regrade: Regrade, instance: Instance | None) -> CorrectedKey:
        old, new = regrade.from_version, regrade.to_version
        if new is None:
            raise IncomparableError("no newer version says what is right")
        if new.is_generated != (instance is not None):
            raise IncomparableError("one of the versions draws numbers")
        if instance is None:
            return self._paired(regrade, new, (None, None), (old.answer, new.answer))
        other = self._instances.get((new.pk, instance.seed))
        if other is None:
            raise NotDrawnError("its new numbers have not been drawn yet")
        if other.facts != instance.facts:
            raise IncomparableError(OTHER_FACTS)
        if other.prompt != instance.prompt and not regrade.same_prompt:
            raise IncomparableError(OTHER_PROMPT)
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
        questions = question_of(old, before, answers[0]), question_of(new, after, answers[1])
        by_key = {option.pk: option for option in after}
        to = counterparts(questions[0].options, questions[1].options)
        return CorrectedKey(
            *questions,
            {pk: by_key[option.pk] for pk, option in to.items()},
            is_old_right=regrade.rule == Regrade.Rule.ACCEPT_BOTH,
            rest=regrade.rest,
        )


def _draws(regrade: Regrade) -> bool:
    return regrade.to_version is not None and regrade.to_version.is_generated


class AnsweredVersion(NamedTuple):
    """That a version was answered in an attempt of a sitting that ended at a time."""

    version: int
    sitting: int | None
    ended_at: datetime


def corrected_keys(answered: Collection[AnsweredVersion]) -> dict[int, CorrectedKey]:
    """Return the key of a regrade by which these answers of one class count, by version.

    A version has none where its own key counts: nothing that a regrade looked at is among them, or
    each learner had numbers of their own. One query, two more where something was regraded.
    """
    regrades = Regrade.objects.filter(
        from_version__in={answer.version for answer in answered},
        to_version__isnull=False,
        undone_at=None,
    )
    rows = list(regrades.select_related("from_version", "to_version").order_by("pk"))
    if not rows:
        return {}
    marked = RegradedSittings(rows)
    newest: dict[int, Regrade] = {}
    for regrade in rows:
        looked_at = {
            answer.sitting
            for answer in answered
            if answer.version == regrade.from_version_id and answer.ended_at <= regrade.as_of
        }
        if looked_at and marked.has_any(regrade, looked_at):
            newest[regrade.from_version_id] = regrade
    reader, keys = KeyReader(newest.values()), {}
    for pk, regrade in newest.items():
        with suppress(IncomparableError):
            keys[pk] = reader.key(regrade)
    return {pk: key for pk, key in keys.items() if key.new.kind == key.old.kind}
