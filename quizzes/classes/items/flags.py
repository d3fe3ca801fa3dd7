"""What a question's figures tell an instructor to look at, in words, each with what to do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quizzes.classes.items.answers import AnswerRow
from quizzes.classes.items.statistics import ItemStatistics

ENOUGH = 10  # attempts; of fewer no figure tells anything
EASY, HARD = 95, 20  # percent
ENOUGH_FOR_DISTRACTORS = 50
ENOUGH_OF_THE_BETTER = 5


class Deed(StrEnum):
    """Where a flag leads."""

    REGRADE = "regrade"  # the key, or what else is accepted
    REREAD = "reread"  # the same key, as typed text is read today
    EDIT = "edit"  # what is asked


@dataclass(frozen=True)
class Flag:
    """One thing to look at. `kind` is a name for files and tests, `words` are for people."""

    kind: str
    words: str
    deed: Deed


def flags_of(statistics: ItemStatistics, rows: Sequence[AnswerRow]) -> list[Flag]:
    """Return the flags of one question, with what may be our own error first."""
    if statistics.n < ENOUGH:
        return list(_of_readings(rows))
    of_answers = [*_of_the_key(statistics, rows), *_of_readings(rows), *_of_piles(rows)]
    return [*of_answers, *_of_what_is_asked(statistics, rows)]


def _of_the_key(statistics: ItemStatistics, rows: Sequence[AnswerRow]) -> Iterable[Flag]:
    if statistics.discrimination is not None and statistics.discrimination < 0:
        words = "Students who do better on other questions do worse on this one: is the key right?"
        yield Flag("key", words, Deed.REGRADE)
    options = [row for row in rows if row.is_option]
    keys = [row for row in options if row.is_key]
    if len(keys) != 1:
        return  # of several right options each is chosen by some
    most = max((row for row in options if not row.is_key), key=lambda row: row.better, default=None)
    if most and most.better >= ENOUGH_OF_THE_BETTER and most.better > keys[0].better:
        words = (
            f"In the top half, “{most.text}” was chosen more often ({most.better}) than the key"
            f" ({keys[0].better}): is the key right?"
        )
        yield Flag("distractor", words, Deed.REGRADE)


def _of_readings(rows: Sequence[AnswerRow]) -> Iterable[Flag]:
    times = sum(row.times for row in rows if row.is_right_today)
    if times:
        words = (
            f"{times} {'answer is' if times == 1 else 'answers are'} marked wrong but would now be"
            " right: differences in dashes, quotes and invisible characters no longer matter."
        )
        yield Flag("reading", words, Deed.REREAD)


def _of_piles(rows: Sequence[AnswerRow]) -> Iterable[Flag]:
    for row in rows:
        if row.is_pile:
            near = row.text[0].lower() + row.text[1:]
            words = (
                f"{row.times} of {row.n} answered {near}: is that also right, or is it a mistake "
                "that has no name yet?"
            )
            yield Flag("pile", words, Deed.REGRADE)


def _of_what_is_asked(statistics: ItemStatistics, rows: Sequence[AnswerRow]) -> Iterable[Flag]:
    facility = statistics.facility
    if facility is not None and facility > EASY:
        yield Flag(
            "easy",
            "Nearly everybody gets this right, so it does not tell students apart.",
            Deed.EDIT,
        )
    if facility is not None and facility < HARD:
        yield Flag("hard", "Hardly anybody gets this right: does it ask what you meant?", Deed.EDIT)
    if statistics.n >= ENOUGH_FOR_DISTRACTORS:
        for row in rows:
            if row.is_option and not row.is_key and not row.times:
                words = (
                    f"In {statistics.n} attempts, nobody chose “{row.text}”: this distractor "
                    "tempts nobody."
                )
                yield Flag("unused", words, Deed.EDIT)
