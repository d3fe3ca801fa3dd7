"""`Case` under the older name that authors' `cases.py` import; new ones import `ordinal_exercise`.

It works until 0.4.0, for courses that were written before there was the other name.
"""

from quizzes.grader.protocol.case import Case

__all__ = ["Case"]
