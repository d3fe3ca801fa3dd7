"""Links in the texts of a course, and the things that they lead to."""

import re
from collections.abc import Callable, Iterator

from django.urls import Resolver404, resolve

from quizzes.courses.addresses import Thing
from quizzes.pages.course_links import WITHIN

OWN = "own"  # any slug: the addresses of all courses have one form
_LINK = re.compile(r"\]\((/[^)\s]*)")
_OTHER = Thing("", "")
_KINDS = {  # of pages about one thing, with the part of the address that has its name
    "lessons:lesson": ("lesson", "lesson"),
    "assessment:quiz": ("quiz", "slug"),
    "exercises:exercise": ("exercise", "slug"),
    "study:practice": ("question", "slug"),
}


def links_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the links of a Markdown text to pages of the site, each with its line from 1."""
    for number, line in enumerate(text.splitlines(), start=1):
        for target in _LINK.findall(line):
            yield number, target


def thing_linked(target: str, course: str) -> Thing | None:
    """Return the thing of this course that a link leads to, None for a link to no page.

    A page about nothing in it is a thing without kind: of the course, of the site, or of another
    course. What another course has cannot be seen from here; the form of its address can. A short
    address that is none of a course's own leads into the home course of the site, whichever that
    is, so no course may name it.
    """
    path = re.split("[?#]", target)[0]
    own = path.startswith(tuple(f"/{name}/" for name in WITHIN))
    try:
        match = resolve(f"/c/{OWN}{path}" if own else path)
    except Resolver404:
        return None
    if not own and match.kwargs.get("course") != course:
        return None if match.view_name.startswith("courses:short-") else _OTHER
    if match.view_name == "lessons:step":
        return Thing("step", f"{match.kwargs['lesson']}/{match.kwargs['step']}")
    kind, name = _KINDS.get(match.view_name, ("", ""))
    return Thing(kind, match.kwargs[name]) if kind else _OTHER


def link_fault(target: str, course: str, has: Callable[[str, str], bool]) -> str:
    """Return why a link leads nowhere, "" for one that leads to a page.

    `has` says of a kind and a name whether the course has this thing.
    """

    def leads(address: str) -> bool:
        thing = thing_linked(address, course)
        return thing is not None and (not thing.kind or has(thing.kind, thing.name))

    if leads(target):
        return ""
    # An address without its last slash is the commonest of these faults.
    expected = f"; expected {target}/" if leads(f"{target}/") else ""
    return f"link {target}: there is no such page{expected}"
