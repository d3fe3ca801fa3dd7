"""Pages by which people come into a class."""

import math
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.classes import enrollment
from quizzes.classes.enrollment import JoinError
from quizzes.classes.join_codes import read_code
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.content_files.typed_text import isolate
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, User
from quizzes.learners.services import current_learner
from quizzes.limits.bucket import Bucket
from quizzes.limits.client_address import client_address, network_of

# Wrong codes of an address; right ones do not count.
WRONG = Bucket("wrong codes of classes", per_second=20 / 1800, at_once=20)
NO_CLASS = "No class has this code. Check it, or ask your instructor for the link."
JOINED = "You have joined {}."
SEEN = (  # in short what the page of a link says before somebody joins
    "Its staff can see your quizzes, code and lessons from now on, and code submitted earlier to"
    " assigned exercises."
)
START_PAGE, JOIN_PAGE, INVITED_PAGE = "study:home", "classes:join", "classes:invited"
WAYS_IN = {JOIN_PAGE, INVITED_PAGE}
State, Role = Membership.State, Membership.Role


@never_cache
@require_safe
def code(request: HttpRequest) -> HttpResponse:
    """Ask for a code; one that is typed leads to its class."""
    typed = request.GET.get("code", "")[:40].replace("\0", "")
    if typed and read_code(typed):
        return redirect("classes:join", code=read_code(typed))
    problem = (
        f"{typed!r} is not a class code: a code consists of eight letters and digits."
        if typed
        else ""
    )
    status = 400 if problem else 200
    return render(request, "classes/code.html", {"typed": typed, "problem": problem}, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Say which class a link leads to and what will be seen of one's work; POST joins."""
    if wait := _wait_seconds(request):
        return _too_many(request, wait)
    cohort = enrollment.class_of_code(code)
    if cohort is None:
        _note_wrong_code(request)
        return render(
            request, "classes/code.html", {"typed": code[:40], "problem": NO_CLASS}, status=404
        )
    return _page(request, cohort, lambda user: enrollment.join(cohort=cohort, user=user))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Say which class a personal link leads to; POST takes the place that it keeps."""
    if wait := _wait_seconds(request):
        return _too_many(request, wait)
    place = enrollment.invitation(token)
    if place is None:
        return _no_place(request, token)
    return _page(
        request, place.cohort, lambda user: enrollment.accept(token=token, user=user), place=place
    )


def _no_place(request: HttpRequest, token: str) -> HttpResponse:
    """Say what to do with a link that leads nowhere; one that has ended was no guess."""
    ended = enrollment.ended_invitation(token)
    if ended is None:
        _note_wrong_code(request)
        context, status = {"typed": "", "problem": enrollment.GONE}, 404
    else:
        assert ended.invite_ends_at is not None
        day = date_format(ended.invite_ends_at.astimezone(ended.cohort.zone), "j F Y")
        problem = f"This link ended on {day}. Ask your instructor for a new one."
        context, status = {"typed": "", "problem": problem}, 410
    return render(request, "classes/code.html", context, status=status)


def is_invited(request: HttpRequest, page: str, addresses: Sequence[str], login: str) -> bool:
    """Say whether a page of this site is an open way into a class, or a roster knows the person.

    A wrong code counts as on its own page: here too somebody could try one after the other.
    """
    if enrollment.has_invited(addresses, login):
        return True
    way = _view_of(page)
    if way not in WAYS_IN or _wait_seconds(request):
        return False
    cohort = _class_of(page)
    if cohort is None:
        _note_wrong_code(request)
        return False
    return way == INVITED_PAGE or (cohort.join_open and cohort.archived_at is None)


def take_kept_places(
    request: HttpRequest, user: User, page: str, addresses: Sequence[str] = (), login: str = ""
) -> str:
    """Give an account the places that rosters keep for it, say so, and return the page to show.

    Nobody asked the person before, so the message says what the class sees.
    It is the page of the class if the person followed a link to it, or signed in without a link.
    """
    cohort = _class_of(page)  # first: a personal link ends when its place is taken
    joined = enrollment.claim_places(user=user, addresses=addresses, login=login)
    for place in joined:
        words = JOINED.format(isolate(place.cohort.title))
        seen = "" if Role(place.role).teaches else f" {SEEN}"
        messages.success(request, f"{words}{seen}")
    here = [place for place in joined if place.cohort == cohort]
    if _view_of(page) == START_PAGE and len(joined) == 1:
        here = joined
    return _page_of(here[0]) if here else page


def take_on_confirmation(
    *, request: HttpRequest | None, email_address: EmailAddress, **_: object
) -> None:
    """Receive `email_confirmed`: the address may be on a roster.

    Only a browser in which the account is signed in shows the name of the class.
    """
    user = email_address.user
    if request is not None and request.user == user:
        take_kept_places(request, user, page="")
    else:
        enrollment.claim_places(user=user)


def _view_of(page: str) -> str:
    """Return the name of a page's view, "" for an address that leads to no page."""
    try:
        return str(resolve(urlsplit(page).path).view_name)
    except (Resolver404, ValueError):
        return ""


def _class_of(page: str) -> Cohort | None:
    """Return the class into which a page leads, by its link or a personal one."""
    if (view := _view_of(page)) not in WAYS_IN:
        return None
    names = resolve(urlsplit(page).path).kwargs
    if view == INVITED_PAGE:
        return getattr(enrollment.invitation(names["token"]), "cohort", None)
    return enrollment.class_of_code(names["code"])


def _page_of(place: Membership) -> str:
    view = "teaching:cohort" if Role(place.role).teaches else "classes:class"
    return reverse(view, args=[place.cohort.slug])


def _page(
    request: HttpRequest,
    cohort: Cohort,
    do: Callable[[User], Membership],
    *,
    place: Membership | None = None,
) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    problem = ""
    if request.method == "POST":
        if user is None:
            return redirect(_sign_up(request))
        try:
            joined = do(user)
        except JoinError as error:
            problem = str(error)
        else:
            messages.success(request, JOINED.format(isolate(joined.cohort.title)))
            return redirect(_page_of(joined))
    mine = cohort.memberships.filter(user=user).first() if user else None
    teachers = cohort.memberships.filter(role=Role.INSTRUCTOR, state=State.ACTIVE)
    context = {
        "cohort": cohort,
        "place": place,
        "mine": mine,
        "is_open": place is not None or (cohort.join_open and cohort.archived_at is None),
        "problem": problem,
        "teachers": [teacher.label for teacher in teachers.select_related("user")],
        "sign_up": _sign_up(request),
        "sign_in": f"{reverse('account_login')}?{urlencode({'next': request.path})}",
        "earlier": earlier_work(cohort, current_learner(request)),
    }
    return render(request, "classes/join.html", context, status=409 if problem else 200)


def _sign_up(request: HttpRequest) -> str:
    """Return the page that makes an account and leads back here: the code is kept."""
    return f"{reverse('account_signup')}?{urlencode({'next': request.path})}"


def _wait_seconds(request: HttpRequest) -> int:
    """Return 0, or how long an address that gave too many wrong codes has to wait."""
    address = network_of(client_address(request))
    return math.ceil(WRONG.wait(address)) if address else 0


def _note_wrong_code(request: HttpRequest) -> None:
    if address := network_of(client_address(request)):
        WRONG.take(address)


def _too_many(request: HttpRequest, wait: int) -> HttpResponse:
    minutes = -(-wait // 60)
    problem = (
        f"Too many wrong codes have been tried from your network. Try again in {minutes} "
        f"minute{'s' * (minutes != 1)}."
    )
    context = {"typed": "", "problem": problem}
    response = render(request, "classes/code.html", context, status=429)
    response["Retry-After"] = str(wait)
    return response


def earlier_work(cohort: Cohort, learner: Learner | None) -> list[str]:
    """Return the titles of assigned exercises to which a learner submitted before. One query.

    Only a submission to an assigned exercise counts from before joining; nothing else is shown.
    """
    if learner is None:
        return []
    assigned = Assignment.objects.filter(cohort=cohort, is_visible=True, exercise__isnull=False)
    rows = Submission.objects.filter(
        learner=learner,
        kind=Submission.Kind.SUBMIT,
        exercise_version__exercise__in=assigned.values("exercise"),
    )
    titles = rows.order_by().values_list("exercise_version__exercise__current__title", flat=True)
    return sorted(set(titles))
