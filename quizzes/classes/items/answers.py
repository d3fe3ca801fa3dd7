"""What was answered to one version of a question: a table of options, piles of numbers, texts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from quizzes.assessment.models import Option, QuestionVersion
from quizzes.assessment.numeric_answer import NumericAnswer, answer_from_json, plain
from quizzes.assessment.text_answer import fold, text_answer_from_json

Kind = QuestionVersion.Kind
MOST_TEXTS = 6  # of wrong texts and piles of numbers, the most frequent
LEAST_PILE = 5
PILE_SHARE = 0.1  # of all answers
PILE_WIDTH = 0.005  # of a number: closer ones are one pile
BLANK = "Left blank"


class Given(NamedTuple):
    """One response: what was answered, what it earned, and how the rest of the attempt went."""

    attempt: int
    version: int
    choice: int | None
    choices: list[int] | None
    number: float | None
    text: str
    is_right: bool | None
    is_answered: bool
    points: float  # it could earn
    earned: float


@dataclass(frozen=True)
class AnswerRow:
    """One line of the table: an option, a kind of number or text, or blank.

    `better`: how many of them are of the better half, by the rest of the quiz.
    """

    text: str
    times: int
    better: int
    n: int
    is_key: bool = False
    is_blank: bool = False
    is_pile: bool = False  # wrong numbers close to each other that no near miss explains
    is_option: bool = False
    mistake: str = ""  # "<exercise>/<known mistake>"

    @property
    def percent(self) -> float:
        """Return the share of all responses, in percent."""
        return 100 * self.times / self.n if self.n else 0.0


def better_half(rests: Sequence[float]) -> list[bool]:
    """Return for each attempt whether the rest of it went better than the median."""
    if not rests:
        return []
    middle = median(rests)
    return [rest > middle + 1e-9 for rest in rests]


def answer_rows(
    version: QuestionVersion, options: Sequence[Option], given: Sequence[Given], better: list[bool]
) -> list[AnswerRow]:
    """Return the table of a version, blank answers last."""
    labels = _Labels(len(given))
    for one, is_better in zip(given, better, strict=True):
        labels.is_better = is_better
        if not one.is_answered:
            labels.count(BLANK, is_blank=True)
        elif version.is_generated:
            labels.count("Right" if one.is_right else "Wrong", is_key=bool(one.is_right))
        elif version.kind in {Kind.SINGLE, Kind.MULTIPLE}:
            for chosen in (one.choice,) if one.choice is not None else one.choices or ():
                labels.count(chosen)
    if version.kind == Kind.NUMERIC and not version.is_generated and version.answer:
        _count_numbers(labels, answer_from_json(version.answer), given, better)
    if version.kind == Kind.TEXT and not version.is_generated and version.answer:
        _count_texts(labels, version, given, better)
    if version.kind in {Kind.SINGLE, Kind.MULTIPLE} and not version.is_generated:
        keys = keys_now(version, options, given)
        rows = [labels.row_of_option(one, is_key=one.pk in keys) for one in options]
        return [*rows, labels.row(BLANK, is_blank=True)]
    rows = [labels.row(label, **facts) for label, facts in labels.facts.items()]
    if BLANK not in labels.facts:
        rows.append(labels.row(BLANK, is_blank=True))
    return sorted(rows, key=lambda one: (one.is_blank, not one.is_key, -one.times, one.text))


def keys_now(
    version: QuestionVersion, options: Sequence[Option], given: Sequence[Given]
) -> set[int]:
    """Return which options are right by how these answers count, which a regrade may have changed.

    Where they do not tell, those of the version: of several right options, where nobody is right,
    and where everybody is whatever was chosen.
    """
    stored = {one.pk for one in options if one.is_key}
    if version.kind != Kind.SINGLE:
        return stored
    chosen = {one.choice for one in given if one.choice is not None}
    right = {one.choice for one in given if one.choice is not None and one.is_right}
    return right if right and (right != chosen or len(right) == 1) else stored


class _Labels:
    """How often each label was counted, and of these how often by the better half."""

    def __init__(self, n: int) -> None:
        self.n, self.is_better = n, False
        self.times: Counter[int | str] = Counter()
        self.better: Counter[int | str] = Counter()
        self.facts: dict[str, dict[str, bool]] = {}
        self.mistakes: dict[str, str] = {}

    def count(self, label: int | str, *, mistake: str = "", **facts: bool) -> None:
        self.times[label] += 1
        self.better[label] += self.is_better
        if isinstance(label, str):
            self.facts[label] = facts
            self.mistakes[label] = mistake

    def row(self, label: str, **facts: bool) -> AnswerRow:
        return AnswerRow(
            label,
            self.times[label],
            self.better[label],
            self.n,
            mistake=self.mistakes.get(label, ""),
            **facts,
        )

    def row_of_option(self, option: Option, *, is_key: bool) -> AnswerRow:
        return AnswerRow(
            option.text,
            self.times[option.pk],
            self.better[option.pk],
            self.n,
            is_key=is_key,
            is_option=True,
            mistake=option.mistake,
        )


def _count_numbers(
    labels: _Labels, answer: NumericAnswer, given: Sequence[Given], better: list[bool]
) -> None:
    wrong = []
    for one, is_better in zip(given, better, strict=True):
        labels.is_better = is_better
        if not one.is_answered or one.number is None:
            continue
        miss = answer.near_miss(one.number)
        if one.is_right:
            labels.count(f"Right: {answer.interval}", is_key=True)
        elif miss is not None:
            labels.count(f"About {plain(miss.value)}: {miss.reason}", mistake=miss.mistake)
        else:
            wrong.append((one.number, is_better))
    for pile in piles([number for number, _ in wrong], answer.tolerance):
        stands_out = len(pile) >= max(LEAST_PILE, PILE_SHARE * len(given))
        low, high = min(pile), max(pile)
        label = f"About {plain(sorted(pile)[len(pile) // 2])}" if stands_out else "Other numbers"
        for number, is_better in wrong:
            if low <= number <= high:
                labels.is_better = is_better
                labels.count(label, is_pile=stands_out)


def piles(numbers: Iterable[float], width: float) -> list[list[float]]:
    """Return numbers in groups: each is no further than `width` from the least of its group.

    Or than half a percent of it, where the author asks for the exact number.
    """
    found: list[list[float]] = []
    for number in sorted(numbers):
        first = found[-1][0] if found else 0.0
        if found and number - first <= max(width, PILE_WIDTH * abs(first)):
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _count_texts(
    labels: _Labels, version: QuestionVersion, given: Sequence[Given], better: list[bool]
) -> None:
    key = text_answer_from_json(version.answer or {}).key
    wrong = Counter(fold(one.text) for one in given if one.is_answered and not one.is_right)
    named = {text for text, _ in wrong.most_common(MOST_TEXTS)}
    for one, is_better in zip(given, better, strict=True):
        labels.is_better = is_better
        if one.is_answered and one.is_right:
            labels.count(f"Right: {key}", is_key=True)
        elif one.is_answered:
            folded = fold(one.text)
            labels.count(f"“{folded}”" if folded in named else "Other texts")
