"""What was answered to one version of a question: a table of options, piles of numbers, texts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from quizzes.assessment.corrections.comparison import typed_number
from quizzes.assessment.corrections.keys import CorrectedKey
from quizzes.assessment.models import Option, QuestionVersion
from quizzes.assessment.numeric_answer import NumericAnswer, answer_from_json, plain
from quizzes.assessment.text_answer import TextAnswer, fold, text_answer_from_json

Kind = QuestionVersion.Kind
MOST_TEXTS = 6  # of wrong texts and piles of numbers, the most frequent
LEAST_PILE = 5
PILE_SHARE = 0.1  # of all answers
PILE_WIDTH = 0.005  # of a number: closer ones are one pile
BLANK = "Left blank"
UNREAD = "Could not be read as a number when it was sent"
# By a correction for everybody, since nobody lost by one, or submitted after it.
KEPT = "Other answers that count as right"


class ResponseFacts(NamedTuple):
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
    is_pile: bool = False  # equal wrong texts, or close numbers that no near miss explains
    is_option: bool = False
    is_right_today: bool = False  # it counts as wrong, and would be right as typed text is read now
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
    version: QuestionVersion,
    options: Sequence[Option],
    responses: Sequence[ResponseFacts],
    better: list[bool],
    key: CorrectedKey | None = None,
) -> list[AnswerRow]:
    """Return the table of a version, blank answers last; `key` is that of a regrade in force."""
    labels = _Labels(len(responses))
    asked = (version.answer or {}) if key is None else (key.answer or {})
    accepted = [asked] if key is None or not key.is_old_right else [version.answer or {}, asked]
    for one, is_better in zip(responses, better, strict=True):
        labels.is_better = is_better
        if not one.is_answered:
            _count_blank(labels, version, accepted, one)
        elif version.is_generated:
            labels.count("Right" if one.is_right else "Wrong", is_key=bool(one.is_right))
        elif version.kind in {Kind.SINGLE, Kind.MULTIPLE}:
            for chosen in (one.choice,) if one.choice is not None else one.choices or ():
                labels.count(chosen)
    if version.kind == Kind.NUMERIC and not version.is_generated and asked:
        _count_numbers(labels, [answer_from_json(one) for one in accepted], responses, better)
    if version.kind == Kind.TEXT and not version.is_generated and asked:
        _count_texts(labels, [text_answer_from_json(one) for one in accepted], responses, better)
    if version.kind in {Kind.SINGLE, Kind.MULTIPLE} and not version.is_generated:
        right = right_options(options, key)
        rows = [labels.row_of_option(one, is_key=one.pk in right) for one in options]
        return [*rows, labels.row(BLANK, is_blank=True)]
    rows = [labels.row(label, **facts) for label, facts in labels.facts.items()]
    if BLANK not in labels.facts:
        rows.append(labels.row(BLANK, is_blank=True))
    return sorted(rows, key=lambda row: (row.is_blank, not row.is_key, -row.times, row.text))


def _count_blank(
    labels: "_Labels",
    version: QuestionVersion,
    accepted: Sequence[Mapping[str, Any]],
    response: ResponseFacts,
) -> None:
    """Count a blank answer, and apart a number that was not read once and is right today."""
    if response.text and version.kind == Kind.NUMERIC and not version.is_generated:
        for answer in [answer_from_json(one) for one in accepted if one]:
            number = typed_number(response.text, answer.unit)
            if number is not None and answer.accepts(number):
                labels.count(UNREAD, is_right_today=not response.is_right)
                return
    labels.count(BLANK, is_blank=True)


def right_options(options: Sequence[Option], key: CorrectedKey | None) -> frozenset[int]:
    """Return the options that are right by the key in force, by their primary keys."""
    if key is not None:
        return key.right_options()
    return frozenset(one.pk for one in options if one.is_key)


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
    labels: _Labels,
    accepted: Sequence[NumericAnswer],
    responses: Sequence[ResponseFacts],
    better: list[bool],
) -> None:
    """Count numbers; the last of what is accepted is newest and says what a near miss is."""
    right = "Right: " + " or ".join(dict.fromkeys(one.interval for one in accepted))
    answer, wrong = accepted[-1], []
    for one, is_better in zip(responses, better, strict=True):
        labels.is_better = is_better
        if not one.is_answered or one.number is None:
            continue
        miss = answer.near_miss(one.number)
        if one.is_right and any(by.accepts(one.number) for by in accepted):
            labels.count(right, is_key=True)
        elif one.is_right:
            labels.count(KEPT)
        elif miss is not None:
            labels.count(f"About {plain(miss.value)}: {miss.reason}", mistake=miss.mistake)
        else:
            wrong.append((one.number, is_better))
    for pile in piles([number for number, _ in wrong], answer.tolerance):
        stands_out = len(pile) >= max(LEAST_PILE, PILE_SHARE * len(responses))
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
    labels: _Labels,
    accepted: Sequence[TextAnswer],
    responses: Sequence[ResponseFacts],
    better: list[bool],
) -> None:
    right = "Right: " + " or ".join(dict.fromkeys(one.key for one in accepted))
    wrong = Counter(fold(one.text) for one in responses if one.is_answered and not one.is_right)
    right_today = {text for text in wrong if any(by.accepts(text) for by in accepted)}
    least = max(LEAST_PILE, PILE_SHARE * len(responses))
    named = {text for text, times in wrong.items() if times >= least}
    named |= {text for text, _ in wrong.most_common(MOST_TEXTS)}
    for one, is_better in zip(responses, better, strict=True):
        labels.is_better = is_better
        if one.is_answered and one.is_right:
            if any(by.accepts(one.text) for by in accepted):
                labels.count(right, is_key=True)
            else:
                labels.count(KEPT)
        elif one.is_answered:
            folded = fold(one.text)
            if folded in right_today:
                labels.count(f"“{folded}”", is_right_today=True)
            elif folded in named:
                labels.count(f"“{folded}”", is_pile=wrong[folded] >= least)
            else:
                labels.count("Other texts")
