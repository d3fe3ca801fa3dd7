"""The thing that a page shows the end of: what Next leads on from, in the whole page.

The rooms of lessons, quizzes and exercises note it; the room that names the next thing reads it.
"""

from quizzes.courses.addresses import Thing
from quizzes.request_values import RequestValue

JUST_DONE: RequestValue[Thing] = RequestValue("just_done")
