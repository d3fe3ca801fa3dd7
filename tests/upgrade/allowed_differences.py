"""Where the newest site may say something else than the old one, each with its reason.

What is not named here is a fault: `test_old_database` fails by it. It also fails by an entry that
nothing needs any more.
"""

from dataclasses import dataclass

MOVED_MODELS = {"lessons.Course": "courses.Course"}  # from the old label to the one of today

# (old label, column) that may be gone or another: the reason
ROWS = {
    ("concepts.ConceptMap", "slug"): "a map is found by its course, whose name this was",
    ("contenttypes.ContentType", "app_label"): "courses have an application of their own",
}

# Of an address of today, the short one that said the same before there were several courses.
MOVED_ADDRESSES = (
    ("/teach/courses/positional-encodings/", "/teach/"),
    ("/c/positional-encodings/progress/", "/me/progress/"),
    ("/c/positional-encodings/", "/"),
)


# Pages whose words are new since then: they must answer, and lead where they led. What learners did
# is held by their rows, and by the files of their data, which are compared word by word.
REWORDED = (
    r".* /((learn|deep-dive|map|quiz|exercises|practice|review|explore|me/(progress|data)"
    r"|teach/submissions)/.*)?"
)


@dataclass(frozen=True)
class AllowedDifference:
    """A line of text, or the address of a link, that is another one now.

    `page` matches "learner 7 /learn/", `old` the whole line that was there, `new` the one that is
    there now. With both, each line that matches `old` is another one now, and `new` is the
    replacement, perhaps of several lines. With `old` alone such lines may be gone, with `new` alone
    they may be new. Of JSON, a "line" is the sentence that names the difference, for `old`.
    """

    page: str
    old: str
    new: str
    reason: str


COURSES = "instructors' pages name the course that they are of, and have more to do in it"
OF_A_CLASS = "a class has the learners that worked in its course, without those who teach it"
PAGES = (
    AllowedDifference(page="learner [12] /teach/.*", old="", new=".*", reason=COURSES),
    AllowedDifference(page="learner [12] /teach/.*", old="Overview", new="", reason=COURSES),
    AllowedDifference(
        page="learner 1 /teach/class/.*",
        old="Learners",
        new="",
        reason="a column of that name says “Learners right”",
    ),
    AllowedDifference(
        page="learner 1 /teach/questions/dog-and-man/",
        old=r"\d+ %",
        new="",
        reason="shares are of all that were asked, with those that left the question blank",
    ),
    AllowedDifference(page="learner 1 /teach/", old=".*", new="", reason=COURSES),
    AllowedDifference(
        page="learner 2 /teach/people/.*",
        old="People|Learners|Class|Attempts|Submissions|Questions|Quizzes|Exercises"
        "|/teach/(learners|class|attempts|submissions|questions|quizzes|exercises)/"
        "|Instructors write questions and see.*|ines Ines Example.*",
        new="",
        reason="this is the page of all accounts, of no course",
    ),
    AllowedDifference(
        page=r"learner 1 /teach/learners/(\?page=2)?", old=".*", new="", reason=OF_A_CLASS
    ),
    AllowedDifference(
        page="learner 1 /teach/learners/(1|2|50)/",
        old="status was 200, is 404.*",
        new="",
        reason=OF_A_CLASS,
    ),
)
