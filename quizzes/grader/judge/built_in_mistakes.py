"""Known mistakes that every exercise has, without a variant in its `wrong/`.

They are made in no single result, so no variant can be compared with: the judge finds them by how
the code is called. Their names are taken; an author's variant cannot have one.
"""

from __future__ import annotations

from collections.abc import Mapping

from quizzes.grader.judge import messages
from quizzes.grader.judge.report import KnownMistake

KEPT_BETWEEN_CALLS = "kept-between-calls"
OVERWRITTEN_RESULT = "overwritten-result"

# No step of a course is named here: it is explained where the exercise is.
_ALL = (
    KnownMistake(
        slug=KEPT_BETWEEN_CALLS,
        kind="mistake",
        sentence=messages.KEEPS_BETWEEN_CALLS,
        step=None,
        breaks=messages.SAME_WHATEVER_WAS_CALLED,
    ),
    KnownMistake(
        slug=OVERWRITTEN_RESULT,
        kind="mistake",
        sentence=messages.OVERWRITES_A_RESULT,
        step=None,
        breaks=messages.RESULTS_STAY,
    ),
)
BUILT_IN_MISTAKES: Mapping[str, KnownMistake] = {mistake.slug: mistake for mistake in _ALL}

# Only of exercises whose result is a bias of scores, so it is not among those of every exercise.
ROW_CONSTANT = KnownMistake(
    slug="row-constant",
    kind="convention",
    sentence=messages.ROW_CONSTANT,
    step=None,
    breaks=messages.ROW_CONSTANT_BREAKS,
)
# Every name that the judge gives by itself, for readers of stored rows: a report may be unreadable.
RESERVED_MISTAKES: Mapping[str, KnownMistake] = {
    **BUILT_IN_MISTAKES,
    ROW_CONSTANT.slug: ROW_CONSTANT,
}
