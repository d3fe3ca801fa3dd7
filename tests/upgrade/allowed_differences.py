"""Where the newest site may say something else than the old one, each with its reason.

What is not named here is a fault: `test_old_database` fails by it. It also fails by an entry that
nothing needs any more.
"""

from dataclasses import dataclass

MOVED_MODELS: dict[str, str] = {
    "lessons.Course": "courses.Course"
}  # from the old label to the one of today

# (old label, column) that may be gone or another: the reason
ROWS = {
    ("concepts.ConceptMap", "slug"): "a map is found by its course, whose name this was",
    ("contenttypes.ContentType", "app_label"): "courses have an application of their own",
}

# Of an address of today, the short one that said the same before there were several courses.
MOVED_ADDRESSES = (
    ("/c/positional-encodings/progress/", "/me/progress/"),
    ("/c/positional-encodings/", "/"),
)


@dataclass(frozen=True)
class AllowedDifference:
    """A line of text, or the address of a link, that is another one now.

    `page` matches "learner 7 /learn/"; `old` matches the whole line, "" where it is new; `new` is
    what stands there now, perhaps several lines, "" where nothing does. All are regular
    expressions, `new` a replacement where there is an old line. Of JSON a "line" is the sentence
    that names the difference.
    """

    page: str
    old: str
    new: str
    reason: str


PAGES = (
    AllowedDifference(
        page="learner 1 /me/data/",
        old="Drafts",
        new="Course staff\n1\nDrafts",
        reason="an instructor is an editor of the course, by a row that names the account",
    ),
    AllowedDifference(
        page=".* /(learn|quiz|review|practice|teach)/.*",
        old="",
        new=r"An answer within .* counts as right.*|The answer is a whole number: give it exactly.",
        reason="questions for a number say how exact the answer must be",
    ),
)
