"""Every address of the site: who may see it, and what may be posted there.

One line for an address, by its route. Later addresses are added here; the sweep fails for an
address that has no line.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from uuid import uuid4

from quizzes.assessment.models import Question
from quizzes.exercises.models import MistakeDraft
from tests.sweep.world import (
    EXERCISE,
    FIRST,
    PICTURE,
    PIXELS,
    PLOT,
    PROVIDER,
    QUESTION,
    QUIZ,
    SOLVED,
    ClassWork,
    Work,
)

STAFF = ("viewer", "editor", "owner")  # of a course, each with all that the one before may do


class Who(StrEnum):
    """Whom an address lets in; all others are refused as the sweep says."""

    ALL = "everybody"
    OWN = "the learner whose work it is"
    NAMED = "that learner, staff of a class that the learner is in"
    CLASS_STAFF = "staff of the class"
    CLASS_INSTRUCTORS = "instructors of the class"
    CLASS_EDITORS = "staff of the class who are editors of its course too"
    ACCOUNT = "who is signed in"
    TEACHERS = "instructors, and staff of a course or a class"
    GROUP = "instructors"
    VIEWERS = "all staff of the course"
    EDITORS = "editors and owners of the course"
    OWNERS = "owners of the course"
    SUPERUSERS = "superusers"
    NOBODY = "nobody by who they are"


Post = Mapping[str, object] | Callable[["Place"], Mapping[str, object]]


@dataclass(frozen=True)
class Place:
    """Where a sample address lies: in which course, and whose work."""

    course: str
    work: Work
    learner: int  # the key of the learner
    account: int  # the key of the learner's account
    staff: int  # the key of an account with a role in the course
    people: ClassWork  # Ada's class


@dataclass(frozen=True)
class Address:
    """One line. `get`: whether it can be read; `post`: a valid body, None where nothing is taken.

    `posts`: who may post, where fewer than those who may read.
    """

    who: Who
    get: bool = True
    head: bool = True  # with `get`
    post: Post | None = None
    posts: Who | None = None
    fill: Mapping[str, object] | Callable[[Place], Mapping[str, object]] | None = None


def _of(name: str) -> Callable[[Place], Mapping[str, object]]:
    return lambda place: {"number": getattr(place.work, name)}


def _attempt(name: str) -> Callable[[Place], Mapping[str, object]]:
    return lambda place: {"slug": QUIZ, "number": getattr(place.work, name)}


def _submission(**more: object) -> Callable[[Place], Mapping[str, object]]:
    return lambda place: {"slug": EXERCISE, "number": place.work.submission, **more}


def _account(place: Place) -> Mapping[str, object]:
    return {"number": place.account}


def _code(_: Place) -> Mapping[str, object]:
    return {"code": "x = 1", "kind": "submit", "key": uuid4()}


def _run(place: Place) -> dict[str, object]:
    return {"slug": EXERCISE, "number": place.work.run}


def _sampled(place: Place) -> dict[str, object]:
    return {"slug": EXERCISE, "number": place.work.sampled}


def _xray(place: Place) -> dict[str, object]:
    return {"slug": EXERCISE, "number": place.work.xray}


def _program(_: Place) -> Mapping[str, object]:
    return {"code": "def f(n, d): return 1", "n": 3, "d": 2, "key": uuid4()}


def _lab(place: Place) -> dict[str, object]:
    return {"number": place.work.lab}


def _shared(place: Place) -> dict[str, object]:
    return {"token": place.work.shared}


def _call(_: Place) -> Mapping[str, object]:
    return {"call": "inv_freq(4)", "key": uuid4()}


def _try(place: Place) -> dict[str, object]:
    return {"slug": SOLVED, "number": place.work.tried}


def _listing(_: Place) -> Mapping[str, object]:
    return {"code": "print(1)", "key": uuid4()}


def _recalled(place: Place) -> Mapping[str, object]:
    work = place.work
    return {"card": work.card, "seen": 0, "question": QUESTION, "option": work.option}


def _answered(place: Place) -> Mapping[str, object]:
    return {"step": "rope/turn-instead-of-add", "option": place.work.option}


def _mistake_draft(place: Place) -> Mapping[str, object]:
    draft = MistakeDraft.objects.get(exercise__course__slug=place.course)
    return {"slug": EXERCISE, "number": draft.pk}


def _identity(place: Place) -> Mapping[str, object]:
    return {"identity": place.account}  # its row has the same number


STEP = {"lesson": "rope", "step": "turn-instead-of-add"}
LISTING = {"lesson": "alibi", "step": "reach", "block": "listing-1"}
PREDICTION = {"lesson": "alibi", "step": "slopes", "block": "sixteen"}
LEARN = "c/<slug:course>/learn/"
LISTED = f"{LEARN}<slug:lesson>/<slug:step>/run/<slug:block>/"
TAKE = "c/<slug:course>/quiz/"
CODE = "c/<slug:course>/exercises/"
ONE = f"{CODE}<slug:slug>/submissions/<int:number>/"
TEACH = "teach/courses/<slug:course>/"

ADDRESSES: dict[str, Address] = {
    # The site itself.
    "": Address(Who.ALL),
    "courses/": Address(Who.ALL),
    "accessibility/": Address(Who.ALL),
    "explore/": Address(Who.ALL),
    "c/<slug:course>/models/": Address(Who.ALL, post={"config": "{}"}),
    "c/<slug:course>/models/pictures/": Address(Who.ALL),
    "figures/encodings-<slug:scheme>.svg": Address(Who.ALL, fill={"scheme": "dark"}),
    "figures/<slug:encoding>/<slug:view>.<str:file>": Address(
        Who.ALL, fill={"encoding": "sinusoidal", "view": "heatmap", "file": "svg"}
    ),
    "lab/": Address(Who.ALL, post=_program),
    "lab/draft/": Address(Who.ALL, get=False, post={"code": "y = 1"}),
    "lab/<int:number>/": Address(Who.OWN, fill=_lab),
    "lab/<int:number>/share/": Address(Who.OWN, post={"name": "rows"}, fill=_lab),
    "lab/shared/<slug:token>/": Address(Who.ALL, fill=_shared),
    "lab/shared/<slug:token>/revoke/": Address(Who.OWN, get=False, post={}, fill=_shared),
    "healthz": Address(Who.ALL),
    "robots.txt": Address(Who.ALL),
    "metrics": Address(Who.NOBODY),  # but for programs that have the token
    # One's own.
    "me/data/": Address(Who.ALL, post={"word": "no"}),
    "me/data/export/": Address(Who.ALL),
    "review/": Address(Who.ALL, post=_recalled, posts=Who.OWN),
    "review/answers/<int:number>/": Address(Who.OWN, fill=_of("answer")),
    # Sign-on by a provider.
    "accounts/oidc/<slug:provider_id>/login/": Address(
        Who.ALL, post={}, fill={"provider_id": PROVIDER}
    ),
    "accounts/oidc/<slug:provider_id>/login/callback/": Address(
        Who.ALL, head=False, fill={"provider_id": PROVIDER}
    ),
    "accounts/providers/": Address(Who.ACCOUNT, post=_identity, posts=Who.OWN),
    # A course.
    "c/<slug:course>/": Address(Who.ALL),
    "c/<slug:course>/progress/": Address(Who.ALL),
    "c/<slug:course>/search/": Address(Who.ALL),
    "c/<slug:course>/map/": Address(Who.ALL),
    "c/<slug:course>/map/outline/": Address(Who.ALL),
    "c/<slug:course>/practice/<slug:slug>/": Address(
        Who.ALL, post=lambda place: {"option": place.work.option}, fill={"slug": QUESTION}
    ),
    "c/<slug:course>/deep-dive/": Address(Who.ALL, post={}),
    "c/<slug:course>/deep-dive/<int:number>/": Address(Who.ALL, post={}, fill={"number": 2}),
    "c/<slug:course>/pictures/<slug:version>/<str:file>": Address(
        Who.ALL,
        fill={"version": sha256(PIXELS).hexdigest()[:16], "file": f"{PICTURE}.png"},
    ),
    LEARN: Address(Who.ALL),
    f"{LEARN}<slug:lesson>/": Address(Who.ALL, fill=STEP),
    f"{LEARN}<slug:lesson>/thumbnail/<str:scheme>.png": Address(
        Who.ALL, fill={"lesson": "rope", "scheme": "light"}
    ),
    f"{LEARN}<slug:lesson>/<slug:step>/thumbnail/<str:scheme>.png": Address(
        Who.ALL, fill={"lesson": "rope", "step": "score-and-distance", "scheme": "light"}
    ),
    f"{LEARN}<slug:lesson>/<slug:step>/": Address(Who.ALL, post={}, fill=STEP),
    f"{LEARN}<slug:lesson>/<slug:step>/predict/<slug:block>/": Address(
        Who.ALL, get=False, post={"predicted": "1"}, fill=PREDICTION
    ),
    TAKE: Address(Who.ALL),
    f"{TAKE}<slug:slug>/": Address(Who.ALL, post={}, fill={"slug": QUIZ}),
    f"{TAKE}<slug:slug>/attempt/<int:number>/": Address(
        Who.OWN, post={"do": "save"}, fill=_attempt("open_attempt")
    ),
    f"{TAKE}<slug:slug>/attempt/<int:number>/review/": Address(Who.OWN, fill=_attempt("attempt")),
    "c/<slug:course>/questions/<slug:slug>/answer/": Address(
        Who.ALL, get=False, post=_answered, fill={"slug": QUESTION}
    ),
    CODE: Address(Who.ALL),
    f"{CODE}<slug:slug>/": Address(Who.ALL, post=_code, fill={"slug": EXERCISE}),
    f"{CODE}<slug:slug>/draft/": Address(
        Who.ALL, get=False, post={"code": "y = 1"}, fill={"slug": EXERCISE}
    ),
    f"{CODE}<slug:slug>/counterexample/": Address(Who.OWN, fill={"slug": SOLVED}, post=_call),
    f"{CODE}<slug:slug>/counterexample/<int:number>/": Address(Who.OWN, fill=_try),
    f"{CODE}<slug:slug>/solution/": Address(Who.OWN, fill={"slug": EXERCISE}),
    ONE: Address(Who.NAMED, fill=_submission()),
    f"{ONE}verdict/": Address(Who.NAMED, head=False, fill=_submission()),
    f"{ONE}report.json": Address(Who.NAMED, fill=_submission()),
    f"{ONE}<slug:layer>.svg": Address(Who.NAMED, fill=_submission(layer="yours")),
    f"{CODE}<slug:slug>/runs/<int:number>/": Address(Who.OWN, fill=_run),
    f"{CODE}<slug:slug>/runs/<int:number>/value.svg": Address(Who.OWN, fill=_run),
    f"{CODE}<slug:slug>/figure/": Address(
        Who.ALL, get=False, post=_listing, fill={"slug": EXERCISE}
    ),
    f"{CODE}<slug:slug>/figure/<int:number>/": Address(Who.OWN, fill=_sampled),
    f"{CODE}<slug:slug>/figure/<int:number>/<slug:layer>-<int:place>.svg": Address(
        Who.OWN, fill=lambda place: _sampled(place) | {"layer": "yours", "place": 0}
    ),
    f"{CODE}<slug:slug>/figure/<int:number>/<int:place>/share/": Address(
        Who.OWN, post={"name": "rows"}, fill=lambda place: _sampled(place) | {"place": 0}
    ),
    f"{CODE}<slug:slug>/xrays/<int:number>/": Address(Who.OWN, fill=_xray),
    LISTED: Address(Who.ALL, get=False, post=_listing, fill=LISTING),
    f"{LISTED}<int:number>/": Address(Who.OWN, fill=lambda place: _run(place) | LISTING),
}


def _add(lines: Mapping[str, Address]) -> None:
    """Add lines of addresses that have none yet: one of two would be believed, and nobody asked."""
    if twice := ADDRESSES.keys() & lines.keys():
        raise ValueError(f"{sorted(twice)}: must have one line each")
    ADDRESSES.update(lines)


READ = f"{TEACH}lessons/<slug:slug>/"
ASKED = f"{TEACH}questions/<slug:slug>/"
TAKEN = f"{TEACH}quizzes/<slug:slug>/"
DRAWN = f"{TEACH}plots/<slug:slug>/"
CODED = f"{TEACH}exercises/<slug:slug>/"


def _edited(what: str) -> Callable[..., Address]:
    """Return a line for something that editors post about one question, quiz or exercise."""
    return lambda **more: Address(
        Who.EDITORS, get=False, post=more.pop("post", {}), fill={"slug": what, **more}
    )


_question, _quiz, _exercise = _edited(QUESTION), _edited(QUIZ), _edited(EXERCISE)
_lesson, _plot = _edited("alibi"), _edited(PLOT)

_add(
    {
        "teach/": Address(Who.TEACHERS),
        "teach/people/": Address(Who.SUPERUSERS),
        "teach/people/<int:number>/role/": Address(
            Who.SUPERUSERS, get=False, post={"teaches": "yes"}, fill=_account
        ),
        "teach/people/<int:number>/password-link/": Address(
            Who.SUPERUSERS, get=False, post={}, fill=_account
        ),
        TEACH: Address(Who.VIEWERS),
        f"{TEACH}contents/": Address(Who.VIEWERS),
        f"{TEACH}contents/order/": Address(
            Who.EDITORS, get=False, post={"lesson": "rope", "direction": "up", "order": ""}
        ),
        f"{TEACH}contents/works/": Address(Who.VIEWERS, post={}, posts=Who.EDITORS),
        f"{TEACH}contents/pictures/": Address(Who.VIEWERS, post={}, posts=Who.EDITORS),
        f"{TEACH}contents/pictures/<slug:slug>/remove/": Address(
            Who.EDITORS, get=False, post={}, fill={"slug": PICTURE}
        ),
        f"{TEACH}contents/download/": Address(Who.EDITORS),
        f"{TEACH}contents/upload/": Address(Who.EDITORS, post={}),
        f"{TEACH}contents/upload/apply/": Address(Who.EDITORS, get=False, post={"digest": ""}),
        "teach/new-course/": Address(Who.GROUP, post={"slug": ""}),
        "teach/new-course/upload/": Address(Who.GROUP, post={"slug": ""}),
        "teach/new-course/upload/apply/": Address(Who.GROUP, get=False, post={"digest": ""}),
        f"{TEACH}listed/": Address(Who.OWNERS, get=False, post={"listed": "no"}),
        f"{TEACH}home/": Address(Who.SUPERUSERS, get=False, post={}),
        f"{TEACH}copy/": Address(Who.VIEWERS, post={"slug": FIRST, "title": "A copy"}),
        f"{TEACH}people/": Address(Who.OWNERS),
        f"{TEACH}people/add/": Address(
            Who.OWNERS, get=False, post={"account": "no-role", "role": "viewer"}
        ),
        f"{TEACH}people/<int:number>/role/": Address(
            Who.OWNERS,
            get=False,
            post={"role": "editor"},
            fill=lambda place: {"number": place.staff},
        ),
        f"{TEACH}people/<int:number>/remove/": Address(
            Who.OWNERS, get=False, post={}, fill=lambda place: {"number": place.staff}
        ),
        f"{TEACH}class/": Address(Who.VIEWERS),
        f"{TEACH}exercises/": Address(Who.VIEWERS, post={"slug": "a-new-one"}, posts=Who.EDITORS),
        CODED: Address(Who.VIEWERS, fill={"slug": EXERCISE}),
        f"{CODED}write/": Address(
            Who.VIEWERS, post={"do": "save"}, posts=Who.EDITORS, fill={"slug": EXERCISE}
        ),
        f"{CODED}preview/": Address(
            Who.VIEWERS, post={}, posts=Who.EDITORS, fill={"slug": EXERCISE}
        ),
        f"{CODED}versions/<int:number>/": Address(
            Who.VIEWERS, fill={"slug": EXERCISE, "number": 1}
        ),
        f"{CODED}versions/<int:number>/bring-back/": _exercise(number=1),
        f"{CODED}duplicate/": _exercise(post={"slug": "a-copy"}),
        f"{CODED}verify/": _exercise(),
        f"{CODED}withdraw/": _exercise(),
        f"{CODED}restore/": _exercise(),
        f"{CODED}mistakes/<int:number>/": Address(
            Who.VIEWERS, post={"do": "stop"}, posts=Who.EDITORS, fill=_mistake_draft
        ),
        f"{CODED}mistakes/<int:number>/patch/": Address(Who.VIEWERS, fill=_mistake_draft),
        f"{CODED}regrade/": Address(Who.EDITORS, post={"do": "begin"}, fill={"slug": EXERCISE}),
        f"{TEACH}lessons/": Address(Who.VIEWERS, post={"slug": "a-new-one"}, posts=Who.EDITORS),
        READ: Address(Who.VIEWERS, post={"do": "save"}, posts=Who.EDITORS, fill={"slug": "alibi"}),
        f"{READ}preview/": Address(Who.VIEWERS, post={}, posts=Who.EDITORS, fill={"slug": "alibi"}),
        f"{READ}withdraw/": _lesson(),
        f"{READ}restore/": _lesson(),
        f"{READ}versions/<int:number>/": Address(Who.VIEWERS, fill={"slug": "alibi", "number": 1}),
        f"{READ}versions/<int:number>/bring-back/": _lesson(number=1),
        f"{TEACH}plots/": Address(Who.VIEWERS, post={"slug": "a-new-one"}, posts=Who.EDITORS),
        DRAWN: Address(Who.VIEWERS, post={"do": "save"}, posts=Who.EDITORS, fill={"slug": PLOT}),
        f"{DRAWN}preview/": Address(Who.VIEWERS, fill={"slug": PLOT}),
        f"{DRAWN}withdraw/": _plot(),
        f"{DRAWN}restore/": _plot(),
        f"{DRAWN}versions/<int:number>/": Address(Who.VIEWERS, fill={"slug": PLOT, "number": 1}),
        f"{DRAWN}versions/<int:number>/bring-back/": _plot(number=1),
        f"{TEACH}questions/": Address(
            Who.VIEWERS, post={"slug": "a-new-one", "kind": "single"}, posts=Who.EDITORS
        ),
        ASKED: Address(
            Who.VIEWERS, post={"do": "save"}, posts=Who.EDITORS, fill={"slug": QUESTION}
        ),
        f"{ASKED}preview/": _question(),
        f"{ASKED}duplicate/": _question(post={"slug": "another", "kind": "single"}),
        f"{ASKED}withdraw/": _question(),
        f"{ASKED}restore/": _question(),
        f"{ASKED}regrade/": Address(
            Who.EDITORS, post={"version": "1", "rule": "drop"}, fill={"slug": QUESTION}
        ),
        f"{ASKED}versions/<int:number>/": Address(
            Who.VIEWERS, fill={"slug": QUESTION, "number": 1}
        ),
        f"{ASKED}versions/<int:number>/bring-back/": _question(number=1),
        f"{TEACH}quizzes/": Address(Who.VIEWERS, post={"slug": "a-new-one"}, posts=Who.EDITORS),
        TAKEN: Address(Who.VIEWERS, post={"do": "save"}, posts=Who.EDITORS, fill={"slug": QUIZ}),
        f"{TAKEN}find/": Address(Who.EDITORS, fill={"slug": QUIZ}),
        f"{TAKEN}preview/": Address(Who.VIEWERS, fill={"slug": QUIZ}),
        f"{TAKEN}versions/<int:number>/": Address(Who.VIEWERS, fill={"slug": QUIZ, "number": 1}),
        f"{TAKEN}versions/<int:number>/bring-back/": Address(
            Who.EDITORS, get=False, post={}, fill={"slug": QUIZ, "number": 1}
        ),
    }
)

# ---- classes

CLASS = "teach/classes/<slug:cohort>/"
ROSTER = "email,name\nnew@uni.example,New\n"


def _of_class(name: str, **more: object) -> Callable[[Place], Mapping[str, object]]:
    """Fill the number of something of Ada's class."""
    return lambda place: {"number": getattr(place.people, name), **more}


def _of_work(name: str, **more: object) -> Callable[[Place], Mapping[str, object]]:
    return lambda place: {"number": getattr(place.work, name), **more}


def _asked(_: Place) -> Mapping[str, object]:
    return {"number": Question.objects.get(course__slug=FIRST, slug=QUESTION).current_id}


def _posted(name: str, post: Post | None = None, fill: str = "member") -> dict[str, Address]:
    """Return a line for what instructors of a class post about one member."""
    return {
        f"{CLASS}people/<int:number>/{name}/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post=post or {}, fill=_of_class(fill)
        )
    }


_add(
    {
        # Ways into a class, and what was written to oneself.
        "join/": Address(Who.ALL),
        "join/<str:code>/": Address(
            Who.ALL, post={}, fill=lambda place: {"code": place.people.code}
        ),
        "invited/<str:token>/": Address(
            Who.ALL, post={}, fill=lambda place: {"token": place.people.token}
        ),
        "messages/": Address(Who.ACCOUNT, post={"until": "2026-01-01T00:00:00+00:00"}),
        # Classes of instructors.
        "teach/log/": Address(Who.SUPERUSERS),
        "teach/sign-on/": Address(Who.SUPERUSERS, post={"provider": PROVIDER}),
        "teach/view-as/end/": Address(Who.ALL, get=False, post={}),
        "teach/next-term/": Address(Who.GROUP, post={}),
        "teach/classes/": Address(Who.TEACHERS, post={"title": ""}, posts=Who.GROUP),
        CLASS: Address(Who.CLASS_STAFF),
        f"{CLASS}week/deeds/": Address(
            Who.CLASS_INSTRUCTORS,
            get=False,
            post={"do": "ask", "week": "2026-W01", "mistake": "a/b"},
        ),
        f"{CLASS}week/deeds/<int:number>/undo/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post={"week": "2026-W01"}, fill={"number": 1}
        ),
        f"{CLASS}week/name/": Address(Who.CLASS_EDITORS, get=False, post={"week": "2026-W01"}),
        f"{CLASS}week/right/": Address(Who.CLASS_INSTRUCTORS),
        f"{CLASS}settings/": Address(Who.CLASS_INSTRUCTORS, post={"title": "Another"}),
        f"{CLASS}settings/do/": Address(Who.CLASS_INSTRUCTORS, get=False, post={"do": "renew"}),
        f"{CLASS}people/": Address(Who.CLASS_STAFF),
        f"{CLASS}people/<int:number>/": Address(Who.CLASS_STAFF, fill=_of_class("member")),
        **_posted("change", {"name": "Another", "role": "assistant"}),
        **_posted("remove"),
        **_posted("restore"),
        **_posted("merge", lambda place: {"joined": place.people.member}, "invited"),
        **_posted("invite", fill="invited"),
        **_posted("view"),
        f"{CLASS}people/<int:number>/dates/": Address(
            Who.CLASS_STAFF,
            get=False,
            post={"first": "2026-01-01", "last": "2026-12-31", "days": "7"},
            fill=_of_class("member"),
        ),
        f"{CLASS}roster/": Address(Who.CLASS_INSTRUCTORS, post={"text": ROSTER}),
        f"{CLASS}roster/apply/": Address(Who.CLASS_INSTRUCTORS, get=False, post={"text": ROSTER}),
        f"{CLASS}roster.csv": Address(Who.CLASS_INSTRUCTORS),
        f"{CLASS}links.csv": Address(Who.CLASS_INSTRUCTORS, get=False, post={}),
        f"{CLASS}links/": Address(Who.CLASS_INSTRUCTORS, post={"digest": ""}),
        f"{CLASS}links/stop/do/": Address(Who.CLASS_INSTRUCTORS, get=False, post={}),
        f"{CLASS}announcements/": Address(Who.CLASS_INSTRUCTORS, post={"title": "Tomorrow"}),
        f"{CLASS}announcements/<int:number>/remove/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post={}, fill=_of_class("announcement")
        ),
        **{
            f"{CLASS}{name}{end}": Address(Who.CLASS_STAFF, fill=fill)
            for name in ("results", "items")
            for end, fill in (
                ("/", None),
                (".csv", None),
                (".json", None),
                ("/<int:number>/answers/", _asked),
            )
        },
        f"{CLASS}attempts/": Address(Who.CLASS_STAFF),
        f"{CLASS}attempts/<int:number>/": Address(Who.CLASS_STAFF, fill=_of_work("attempt")),
        f"{CLASS}attempts/<int:number>/comment/": Address(
            Who.CLASS_STAFF,
            get=False,
            post={"question": "1", "text": "Why?"},
            fill=_of_work("attempt"),
        ),
        f"{CLASS}submissions/": Address(Who.CLASS_STAFF),
        f"{CLASS}submissions/<int:number>/": Address(Who.CLASS_STAFF, fill=_of_work("submission")),
        f"{CLASS}submissions/<int:number>/<slug:layer>.svg": Address(
            Who.CLASS_STAFF, fill=_of_work("submission", layer="yours")
        ),
        f"{CLASS}submissions/<int:number>/comment/": Address(
            Who.CLASS_STAFF, get=False, post={"text": "Why?"}, fill=_of_work("submission")
        ),
        f"{CLASS}submissions/<int:number>/grade-anew/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post={}, fill=_of_work("submission")
        ),
        f"{CLASS}comments/<int:number>/withdraw/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post={}, fill=_of_class("comment")
        ),
        f"{CLASS}log/": Address(Who.CLASS_INSTRUCTORS),
        # The work of a class.
        "class/": Address(Who.ACCOUNT),
        "class/<slug:cohort>/": Address(Who.NAMED),
        f"{CLASS}assignments/": Address(Who.CLASS_STAFF),
        f"{CLASS}assignments/new/": Address(Who.CLASS_INSTRUCTORS, post={}),
        f"{CLASS}assignments/<int:number>/": Address(
            Who.CLASS_INSTRUCTORS, post={"points": "5"}, fill=_of_class("assignment")
        ),
        f"{CLASS}assignments/<int:number>/remove/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post={}, fill=_of_class("assignment")
        ),
        f"{CLASS}assignments/<int:number>/class-only/": Address(
            Who.CLASS_INSTRUCTORS, get=False, post={}, fill=_of_class("assignment")
        ),
        f"{CLASS}assignments/<int:number>/exceptions/": Address(
            Who.CLASS_STAFF,
            post=lambda place: {"do": "set", "member": place.people.member, "attempts": "3"},
            fill=_of_class("assignment"),
        ),
        f"{CLASS}extra-time/": Address(
            Who.CLASS_STAFF, post=lambda place: {"member": place.people.member, "percent": "50"}
        ),
        f"{CLASS}marks/": Address(Who.CLASS_STAFF),
        f"{CLASS}marks/<int:number>/<int:member>/": Address(
            Who.CLASS_STAFF,
            post={"points": "5", "reason": "Oral."},
            posts=Who.CLASS_INSTRUCTORS,
            fill=lambda place: {"number": place.people.assignment, "member": place.people.member},
        ),
        f"{CLASS}exports/": Address(Who.CLASS_STAFF, post={}),
        f"{CLASS}separator/": Address(Who.CLASS_STAFF, get=False, post={"separator": "semicolon"}),
        f"{CLASS}marks.csv": Address(Who.CLASS_STAFF),
        f"{CLASS}responses.csv": Address(Who.CLASS_STAFF),
        f"{CLASS}submissions.zip": Address(Who.CLASS_STAFF),
        # Of a course, beside classes.
        f"{TEACH}log/": Address(Who.OWNERS),
        f"{TEACH}failures/<int:number>/grade-anew/": Address(
            Who.EDITORS,
            get=False,
            post={},
            fill=lambda place: {"number": place.people.failures[place.course]},
        ),
    }
)

# Pages of others, that stand below one address: Django's administration, allauth's accounts, and
# the short addresses, which all lead on.
BELOW: dict[str, Address] = {
    "admin/": Address(Who.SUPERUSERS),
    "accounts/": Address(Who.ALL),
    "^learn/": Address(Who.ALL),
    "^deep-dive/": Address(Who.ALL),
    "^quiz/": Address(Who.ALL),
    "^questions/": Address(Who.ALL),
    "^exercises/": Address(Who.ALL),
    "^map/": Address(Who.ALL),
    "^models/": Address(Who.ALL),
    "^search/": Address(Who.ALL),
    "^practice/": Address(Who.ALL),
    "^me/progress/": Address(Who.ALL),
    "^teach/": Address(Who.ALL),
}
