"""Links in the texts of a course.

Authors write `/learn/rope/turning/` and mean the step of their own course, so that a copy of a
course has the same texts, hashes and versions. The course is put in front when a page is made; what
was parsed and rendered before is kept without it. A link to another course is written out,
`/c/<course>/learn/...`, and stays as it is.
"""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString

WITHIN = ("learn", "quiz", "exercises", "deep-dive", "map")  # what every course has
_LINK = re.compile(rf'href="/(?=(?:{"|".join(WITHIN)})/)')


def with_course_links(html: SafeString, course: str) -> SafeString:
    """Return a rendered text whose links lead into the course with this slug."""
    return SafeString(_LINK.sub(f'href="/c/{escape(course)}/', html))
