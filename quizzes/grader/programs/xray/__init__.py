"""X-ray: what the expressions of a learner's program were, while it ran on one case."""

from quizzes.grader.programs.xray.expressions import (
    Difference,
    Expression,
    ExpressionPicture,
    share_values,
)
from quizzes.grader.programs.xray.look_inside import XRay, look_inside

__all__ = [
    "Difference",
    "Expression",
    "ExpressionPicture",
    "XRay",
    "look_inside",
    "share_values",
]
