"""What the button "Clean it" offers: code without odd characters, and what changes, in words.

The rule is `clean_code` of the judge. The page has the cleaned text at hand, so that the button
puts it into the field; without JavaScript the button opens the exercise with that text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.exercises.models import Submission
from quizzes.exercises.models.submission import MAX_BYTES, MAX_CHARACTERS
from quizzes.grader.api import Verdict
from quizzes.grader.judge import clean_code, kinds_of, name_of

MOST_KINDS = 6
_IN_WORDS = {"": "left out", " ": "a plain space", "  ": "plain spaces", "\n": "a new line"}


@dataclass(frozen=True)
class CleanOffer:
    """The cleaned code. `changes`: each kind of change in words, with signs between backticks.

    `line`: where the first one is.
    """

    code: str
    changes: Sequence[str]
    line: int

    @property
    def in_words(self) -> str:
        """What was done, in one sentence for the code in the field; all was listed before."""
        more = len(self.changes) - 1
        others = f"; and {more} other change{'' if more == 1 else 's'}" if more else ""
        return f"Cleaned: {self.changes[0]}{others}.".replace("`", "")


def clean_offer(submission: Submission) -> CleanOffer | None:
    """Return the changes that cleaning makes to a graded submission, None where there are none.

    Of code that solves the exercise nothing is offered, nor what could not be submitted.
    """
    if submission.verdict in ("", Verdict.CORRECT.value):
        return None
    return offer_for(submission.code)


def offer_for(code: str) -> CleanOffer | None:
    """Return the changes that cleaning makes to this code, None where there are none."""
    cleaned = clean_code(code)
    size = len(cleaned.code.encode(errors="replace"))
    fits = len(cleaned.code) <= MAX_CHARACTERS and size <= MAX_BYTES
    if not (cleaned.is_changed and fits and cleaned.code.strip()):
        return None
    changes = ["notebook file → the code of its cells"] * cleaned.was_notebook
    kinds = list(kinds_of(cleaned.replacements))
    changes += [_in_words(*kind) for kind in kinds[:MOST_KINDS]]
    if len(kinds) > MOST_KINDS:
        others = sum(count for _, _, count in kinds[MOST_KINDS:])
        changes.append(f"{others} other character{'' if others == 1 else 's'}")
    if cleaned.tabs:
        lines = len(cleaned.tabs)
        changes.append(f"tabs → spaces, in {lines} line{'' if lines == 1 else 's'}")
    places = [item.line for item in cleaned.replacements] + list(cleaned.tabs)
    return CleanOffer(cleaned.code, changes, min(places, default=1))


def _in_words(old: str, new: str, count: int) -> str:
    times = "" if count == 1 else f", {count} times"
    return f"{name_of(old)} → {_IN_WORDS.get(new, f'`{new}`')}{times}"
