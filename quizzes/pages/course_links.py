"""Links in the texts of a course.

Authors write `/learn/rope/turning/` and mean the step of their own course, so that a copy of a
course has the same texts, hashes and versions. The course is put in front when a page is made; what
was parsed and rendered before is kept without it. A link to another course is written out,
`/c/<course>/learn/...`, and stays as it is. `/me/progress/` is the older name of `/progress/`.
"""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString

# What every course has, and authors may lead to.
WITHIN = ("learn", "quiz", "exercises", "deep-dive", "map", "models", "practice", "progress")
_LINK = re.compile(rf'href="/(?:me/(?=progress/))?(?=(?:{"|".join(WITHIN)})/)')

_LESSON = re.compile(rf"/{WITHIN[0]}/([a-z0-9-]+)/")


def lessons_linked_in(markdown: str) -> frozenset[str]:
    """Return the slugs of the lessons of its own course that a text leads to."""
    return frozenset(_LESSON.findall(markdown))


def with_course_links(html: SafeString, course: str) -> SafeString:
    """Return a rendered text whose links lead into the course with this slug."""
    return SafeString(_LINK.sub(f'href="/c/{escape(course)}/', html))
