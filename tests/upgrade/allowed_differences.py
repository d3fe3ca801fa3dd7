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
    ("assessment.Question", "revision"): "a form carries a hash of what it was made from",
    ("assessment.Quiz", "revision"): "the same",
    ("lessons.Lesson", "loaded_hash"): "its place is no part of a lesson's hash any more",
    ("exercises.CasePack", "retired_at"): "submissions could read the seed that drew its cases",
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
    r"|teach/(learners|attempts|submissions))/.*)?"
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
THROUGH_A_CLASS = "work with a name is seen through a class alone: its pages have moved there"
PAGES = (
    AllowedDifference(
        page="learner 1 /teach/exercises/.*",
        old=r"(swap|transposed|interleaved|zero_upper|linear)( \(\d+ learners\))?",
        new="",
        reason="a known mistake is told by its sentence, where its name was",
    ),
    AllowedDifference(
        page="learner 2 /teach/people/.*",
        old="(Make an|No longer an) instructor: (.+)",
        new=r"\1 instructor (\2)",
        reason="what is heard alone stands in brackets",
    ),
    AllowedDifference(
        page="learner 1 /teach/(learners|attempts|submissions)/.*",
        old="led to .*, leads to /teach/classes/",
        new="",
        reason=THROUGH_A_CLASS,
    ),
    AllowedDifference(
        page="learner 1 /teach/.*",
        old="Class|Learners|Attempts|Submissions|/teach/(learners|attempts|submissions)/.*",
        new="",
        reason=THROUGH_A_CLASS,
    ),
    AllowedDifference(
        page="learner 1 /teach/class/.*",
        old="How the class does|Of every learner the first response to a question counts:.*",
        new="",
        reason="the page has the results of all learners of a course, who are no class",
    ),
    AllowedDifference(
        page="learner 1 /teach/quizzes/.*/preview/",
        old=r"Question \d+ of \d+\.",
        new="",
        reason="the points of a question stand beside its number",
    ),
    AllowedDifference(
        page="learner 1 /teach/questions/.*",
        old="Options to choose from",
        new="",
        reason="a question may have one right option or several",
    ),
    AllowedDifference(
        page="learner 1 /teach/questions/.+/",
        old="Question 1 of 0[.]",
        new="",
        reason="the preview of one question is of no number of questions",
    ),
    AllowedDifference(
        page="learner [12] /teach/people/.*",
        old=".*",
        new="",
        reason="accounts come the newest first, a page of them at a time, and are not counted",
    ),
    AllowedDifference(
        page="learner 1 /teach/exercises/.+",
        old="How the class does",
        new="",
        reason="the section has the results of all learners of a course, who are no class",
    ),
    AllowedDifference(
        page="learner 1 /teach/(questions/([?].*)?|quizzes/[^/]+/|class/([?].*)?)",
        old=".*",
        new="",
        reason="a list shows the first paragraph of a question as learners read it",
    ),
    AllowedDifference(
        page="learner 1 /teach/(exercises|questions|quizzes)/.*",
        old="[^/].*",
        new="",
        reason="the words of the instructors' pages are new; their links are compared",
    ),
    AllowedDifference(page="learner [12] /teach/.*", old="", new=".*", reason=COURSES),
    AllowedDifference(page="learner [12] /teach/.*", old="Overview", new="", reason=COURSES),
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
)
