"""Small pictures of courses that no folder loads, drawn by workers soon after somebody publishes.

Drawing loads matplotlib, which no web process has. A course of a folder gets its pictures when it
is loaded; one of the browser had none until the next start of the site.
"""

from uuid import UUID

from quizzes.authoring.loading import fill_pictures
from quizzes.courses.models import Course

# The content for which a course had all its pictures when this process last looked: to look again
# costs a hash of each lesson, every half minute.
_drawn: dict[int, UUID | None] = {}


def draw_next() -> bool:
    """Draw what one course lacks; return whether another may lack some."""
    rows = Course.objects.filter(has_folder=False).order_by("pk")
    tokens = dict(rows.values_list("pk", "content_token"))
    changed = [pk for pk, token in tokens.items() if pk not in _drawn or _drawn[pk] != token]
    for forgotten in _drawn.keys() - tokens.keys():
        del _drawn[forgotten]
    if not changed:
        return False
    course = Course.objects.filter(pk=changed[0]).first()
    if course is not None:
        # Before they are drawn: what fails is logged and holds no other course up. Pictures are
        # content, so where some were drawn the next look finds another token.
        _drawn[course.pk] = tokens[course.pk]
        fill_pictures(course)
    return len(changed) > 1
