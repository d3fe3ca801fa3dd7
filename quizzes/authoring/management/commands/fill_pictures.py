"""Draw the small pictures of lists and of the map for courses that no folder loads."""

from typing import Any

from quizzes.authoring.loading import fill_pictures
from quizzes.courses.models import Course
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Draw the small pictures that are missing in courses of the browser."
        " `prepare_site` does so at each start."
    )

    def handle(self, **_options: Any) -> None:
        for course in Course.objects.filter(has_folder=False):
            fill_pictures(course)
