"""How an answer to one version of a question counts by another version: plain values in and out.

An option of the old version answers to the option of the new one with the same text, Unicode and
spaces aside. Where the text of one option alone was changed, and it stands in the same place, these
two answer to each other as well. An answer that cannot be carried over raises IncomparableError:
nobody's mark is guessed.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from quizzes.assessment.models import Option, QuestionVersion
from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.numeric_answer import answer_from_json
from quizzes.assessment.scores import score_of_options
from quizzes.assessment.text_answer import text_answer_from_json

Kind = QuestionVersion.Kind
SAME_VALUE = 1e-9  # of the larger of two numbers


class IncomparableError(ValueError):
    """An answer to one version says nothing about the other; the message says why."""


@dataclass(frozen=True)
class OfferedOption:
    """One option, by its primary key."""

    pk: int
    text: str
    is_key: bool
    picture: str = ""

    @property
    def content(self) -> tuple[str, str]:
        """Return the key by which two options are the same."""
        return fold_text(self.text), self.picture


@dataclass(frozen=True)
class ComparedQuestion:
    """What decides how an answer counts: of a version, or of one set of numbers of it."""

    kind: str
    options: tuple[OfferedOption, ...] = ()
    scoring: str = ""
    answer: Mapping[str, Any] | None = None

    @property
    def keys(self) -> frozenset[int]:
        return frozenset(option.pk for option in self.options if option.is_key)


@dataclass(frozen=True)
class StoredAnswer:
    """An answer as it is stored; one that was left blank is none of these.

    `text` without a number, where a number was asked: it was not read when it was sent.
    """

    chosen: tuple[int, ...] = ()
    number: float | None = None
    text: str = ""


def fold_text(text: str) -> str:
    """Return a text without what does not matter when options are compared.

    Composed and decomposed letters are one, and so are runs of spaces; capitals and raised numbers
    are not: d and D, 10² and 102 are different answers.
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def counterparts(
    old: Sequence[OfferedOption], new: Sequence[OfferedOption]
) -> Mapping[int, OfferedOption]:
    """Return the option of the new version for each option of the old one."""
    there: dict[tuple[str, str], list[OfferedOption]] = {}
    for option in new:
        there.setdefault(option.content, []).append(option)
    contents = Counter(option.content for option in old)
    matches = {
        option.pk: there[option.content][0]
        for option in old
        if contents[option.content] == 1 and len(there.get(option.content, ())) == 1
    }
    apart = [place for place, option in enumerate(old) if option.pk not in matches]
    if len(old) == len(new) and len(apart) == 1:
        place = apart[0]
        in_place = new[place]
        if in_place.pk not in {option.pk for option in matches.values()}:
            matches[old[place].pk] = in_place
    return matches


def question_of(
    version: QuestionVersion, options: Iterable[Option], answer: Mapping[str, object] | None
) -> ComparedQuestion:
    """Return the question of a version, with these options and this right number."""
    offered = tuple(OfferedOption(row.pk, row.text, row.is_key, row.picture) for row in options)
    return ComparedQuestion(version.kind, offered, version.scoring, answer)


def score_of(response: StoredAnswer, question: ComparedQuestion) -> Decimal:
    """Return the share that an answer to this very question earns, from 0 to 1."""
    if question.kind == Kind.SINGLE:
        return Decimal(set(response.chosen) <= question.keys and bool(response.chosen))
    if question.kind == Kind.MULTIPLE:
        rule = question.scoring
        return score_of_options(chosen=response.chosen, keys=question.keys, rule=rule)
    if question.answer is None:
        raise IncomparableError("the right answer is missing")
    if question.kind == Kind.TEXT:
        return Decimal(text_answer_from_json(question.answer).accepts(response.text))
    answer = answer_from_json(question.answer)
    number = response.number
    if number is None:
        number = typed_number(response.text, answer.unit)
    if number is None:
        raise IncomparableError("the typed number is missing")
    return Decimal(answer.accepts(number))


def typed_number(text: str, unit: str) -> float | None:
    """Return the number in a text by today's reading, None where there is none."""
    try:
        return read_number(text, unit)
    except NotANumberError:
        return None


def carried_over(
    response: StoredAnswer, old: ComparedQuestion, new: ComparedQuestion
) -> StoredAnswer:
    """Return an answer to the old question as an answer to the new one.

    Raises IncomparableError.
    """
    if old.kind != new.kind:
        raise IncomparableError("the new version asks for another kind of answer")
    if new.kind not in {Kind.SINGLE, Kind.MULTIPLE}:
        return response
    to = counterparts(old.options, new.options)
    if not new.keys <= {option.pk for option in to.values()}:
        raise IncomparableError("the new version’s right answer was not offered")
    if not set(response.chosen) <= set(to):
        raise IncomparableError("the new version does not offer what was chosen")
    return StoredAnswer(chosen=tuple(sorted(to[pk].pk for pk in response.chosen)))


def new_score(response: StoredAnswer, old: ComparedQuestion, new: ComparedQuestion) -> Decimal:
    """Return the share that an answer to the old question earns by the new option.

    A chosen number that the new version no longer offers is compared with its key. Raises
    IncomparableError.
    """
    try:
        return score_of(carried_over(response, old, new), new)
    except IncomparableError:
        by_value = _score_by_value(response, old, new)
        if by_value is None:
            raise
        return by_value


def _score_by_value(
    response: StoredAnswer, old: ComparedQuestion, new: ComparedQuestion
) -> Decimal | None:
    if old.kind != Kind.SINGLE or new.kind != Kind.SINGLE:
        return None
    keys = {option.content for option in new.options if option.is_key}
    if not keys & {option.content for option in old.options}:
        key_values = [_value(option) for option in new.options if option.is_key]
        offered = [_value(option) for option in old.options]
        if None in key_values or not any(_same(key_values[0], option) for option in offered):
            return None  # what is right now was not offered
    chosen = [_value(option) for option in old.options if option.pk in response.chosen]
    key = [_value(option) for option in new.options if option.is_key]
    if len(chosen) != 1 or len(key) != 1 or chosen[0] is None or key[0] is None:
        return None
    return Decimal(_same(chosen[0], key[0]))


def _value(option: OfferedOption) -> float | None:
    if option.picture:
        return None
    try:
        return read_number(option.text.strip().strip("$"))
    except NotANumberError:
        return None


def _same(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return False
    return abs(first - second) <= SAME_VALUE * max(abs(first), abs(second))
