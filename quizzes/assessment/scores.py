"""The part of a question's points that an answer earns, from 0 to 1."""

from collections.abc import Collection
from decimal import ROUND_HALF_UP, Decimal

from quizzes.assessment.models import QuestionVersion

STEP = Decimal("0.00001")
Scoring = QuestionVersion.Scoring


def score_of_options(*, chosen: Collection[int], keys: Collection[int], rule: str) -> Decimal:
    """Return the share that the chosen options earn where several are right.

    All or nothing: 1 for exactly the right ones. For each option: the right ones among the chosen
    less the wrong ones, as a share of all right ones, never below 0.
    """
    right, wrong = len(set(chosen) & set(keys)), len(set(chosen) - set(keys))
    if right == len(keys) and not wrong:
        return Decimal(1)
    if rule != Scoring.PER_OPTION:
        return Decimal(0)
    share = Decimal(max(0, right - wrong)) / len(keys)
    return share.quantize(STEP, ROUND_HALF_UP)


def points_in_words(right: int, total: int, earned: Decimal, possible: Decimal) -> str:
    """Return "3.5 of 6 points", or "" where that is how many of how many are right."""
    if earned == right and possible == total:
        return ""
    return f"{plain_points(earned)} of {plain_points(possible)} points"


def plain_points(points: Decimal) -> str:
    """Return points as people write them: 2, 0.5, 1.33."""
    rounded = points.quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{rounded:f}".rstrip("0").rstrip(".")
