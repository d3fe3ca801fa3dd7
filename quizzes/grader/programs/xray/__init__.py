"""X-ray: what the expressions of a learner's program were, while it ran on one case."""

from quizzes.grader.programs.xray.expressions import (
    Difference,
    Expression,
    ExpressionPicture,
    PlaceValue,
    share_values,
)
from quizzes.grader.programs.xray.look_inside import XRay, look_inside

__all__ = [
    "Difference",
    "Expression",
    "ExpressionPicture",
    "PlaceValue",
    "XRay",
    "look_inside",
    "share_values",
]
