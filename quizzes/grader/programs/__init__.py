"""Programs that are run for their own sake: a listing, a learner's code with a call that they type.

No reference, no cases, no verdict. Program and call are Python that runs inside the sandbox alone.
What comes out are the frames of grading, read by the same rules, and texts that are cleaned here:
bounded data, of which no part is ever evaluated.
"""

from quizzes.grader.programs.call_batch import MAX_BYTES, MOST_PLACES, Place, Sample, sample
from quizzes.grader.programs.counterexample import Counterexample, try_arguments
from quizzes.grader.programs.program_run import RUN_LIMITS, ProgramRun, run_program
from quizzes.grader.programs.shown_value import ShownValue, ValuePicture
from quizzes.grader.programs.xray import (
    Difference,
    Expression,
    PlaceValue,
    XRay,
    look_inside,
    share_values,
)

__all__ = [
    "MAX_BYTES",
    "MOST_PLACES",
    "RUN_LIMITS",
    "Counterexample",
    "Difference",
    "Expression",
    "Place",
    "PlaceValue",
    "ProgramRun",
    "Sample",
    "ShownValue",
    "ValuePicture",
    "XRay",
    "look_inside",
    "run_program",
    "sample",
    "share_values",
    "try_arguments",
]
