"""The page on which a wrong key is put right: preview, deed, undoing, and what was done before."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quizzes.assessment.models import Question, QuestionVersion, Quiz, Regrade, Response
from quizzes.assessment.regrades.plan import Change, Plan, Scope, Wish, plan
from quizzes.assessment.regrades.services import (
    PlanChangedError,
    UndoRefusedError,
    apply,
    changed_prompts,
    drawing,
    marked_otherwise,
    regrades_of,
    undo,
    want_instances,
)
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.courses.models import Course
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_markdown
from quizzes.teaching.access import COHORT, ROLE, editor_of
from quizzes.teaching.addresses import address_in
from quizzes.teaching.people.members import members_by_learner
from quizzes.teaching.regrade.access import for_regrading, regraded_classes
from quizzes.teaching.regrade.forms import BY_VERSION, AskedForm, DeedForm

MOST_NAMED = 300  # members in one table


def scope_of(cohort: Cohort | None) -> Scope:
    """Return what a regrade may touch: all of the course, or the attempts of a class."""
    if cohort is None:
        return Scope()
    return Scope(cohort.slug, tuple(one.sitting for one in _assigned(cohort)))


def _assigned(cohort: Cohort) -> list[Assignment]:
    return list(Assignment.objects.filter(cohort=cohort, quiz__isnull=False).order_by("pk"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_regrading
def question(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show what a regrade would change, storing nothing; POST does what was shown."""
    found = _question(course, slug)
    versions = _versions(found)
    current = found.current.number if found.current else 0
    sent = request.POST if request.method == "POST" else request.GET
    form = AskedForm(sent.dict(), versions=versions, current=current)
    deed = DeedForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if request.POST.get("do") == "draw":
            return _draw(request, found, form)
        if deed.is_valid():
            return _apply(request, found, form, deed)
    return _page(request, found, form, deed)


def _apply(request: HttpRequest, found: Question, form: AskedForm, deed: DeedForm) -> HttpResponse:
    sent = deed.cleaned_data
    wish = _wish(request, found, form.cleaned_data, as_of=sent["as_of"])
    try:
        done = apply(wish, digest=sent["digest"], note=sent["note"], by=editor_of(request))
    except PlanChangedError:
        messages.error(
            request,
            "Not done: since you looked, somebody else marked these answers anew, or they changed."
            " Look at what would change now.",
        )
        return _page(request, found, form, deed, status=409)
    changed = done.responses.count()
    messages.success(request, f"Done: {changed} answer{'' if changed == 1 else 's'} marked anew.")
    return redirect(_address(request, found))


def _draw(request: HttpRequest, found: Question, form: AskedForm) -> HttpResponse:
    """Ask workers for the new version's numbers, and go back to the preview."""
    want_instances(_wish(request, found, form.cleaned_data, as_of=timezone.now()))
    asked = {name: request.POST[name] for name in (*form.fields, "class") if name in request.POST}
    address = address_in(found.course, "regrade_question", found.slug)
    return redirect(f"{address}?{urlencode(asked)}#preview")


def _page(
    request: HttpRequest, found: Question, form: AskedForm, deed: DeedForm, status: int = 200
) -> HttpResponse:
    cohort = COHORT.get(request)
    context: dict[str, Any] = {
        "question": found,
        "cohort": cohort,
        "form": form,
        "deed": deed,
        "address": address_in(found.course, "regrade_question", found.slug),
        "classes": regraded_classes(editor_of(request), found.course),
        "waiting": marked_otherwise(found, scope_of(cohort)),
        "regrades": _done_before(request, found),
        "by_classes": 0 if cohort else _classes_that_marked(found),
    }
    # Asked for, or offered: after it is done, the next press would undo what was chosen for it.
    if form.is_valid() and (form.asked or context["waiting"]):
        wish = _wish(request, found, form.cleaned_data, as_of=timezone.now())
        context |= _preview(wish, cohort)
    if form.errors or (request.method == "POST" and deed.errors):
        status = max(status, 400)
    return render(request, "teaching/regrade/question.html", context, status=status)


def _wish(request: HttpRequest, found: Question, asked: dict[str, Any], *, as_of: Any) -> Wish:
    return Wish(
        question=found,
        from_version=found.versions.get(number=asked["version"]),
        to_version=found.current if asked["rule"] in BY_VERSION else None,
        rule=Regrade.Rule(asked["rule"]),
        as_of=as_of,
        rest=Regrade.Rest(asked["rest"]),
        nobody_loses=asked["nobody_loses"],
        same_prompt=asked.get("same_prompt", False),
        scope=scope_of(COHORT.get(request)),
    )


def _preview(wish: Wish, cohort: Cohort | None) -> dict[str, Any]:
    planned = plan(wish)
    prompts = changed_prompts(wish)
    course = wish.question.course.slug
    return {
        "wish": wish,
        "plan": planned,
        "drawing": drawing(wish),
        "transitions": transitions(planned),
        "by_quiz": _by_quiz(planned),
        "by_member": _by_member(planned, cohort),
        "prompts": [with_course_links(render_markdown(one), course) for one in prompts or ()],
    }


def transitions(planned: Plan) -> list[tuple[str, str, int]]:
    """Return how answers change, in words, with how many do: the most first."""
    found = Counter((_in_words(one.was), _in_words(one.now)) for one in planned.changes)
    return [(was, now, count) for (was, now), count in found.most_common()]


def _in_words(counting: Any) -> str:
    if counting.is_dropped:
        return "left out"
    if counting.score is None:
        return "blank"
    if counting.is_right:
        return "right"
    return "partly right" if counting.score else "not right"


def _by_quiz(planned: Plan) -> list[dict[str, Any]]:
    """Return for each quiz how many attempts get a better and a worse mark."""
    found: dict[int | None, Counter[str]] = {}
    for one in planned.changes:
        found.setdefault(one.quiz, Counter())[one.direction] += 1
    named = [quiz for quiz in found if quiz is not None]
    titles: dict[int | None, str] = {None: "Outside quizzes, in lessons and reviews"}
    titles |= dict(Quiz.objects.filter(pk__in=named).values_list("pk", "title"))
    rows = [{"title": titles.get(quiz, ""), **dict(counts)} for quiz, counts in found.items()]
    return sorted(rows, key=lambda row: str(row["title"]))


@dataclass(frozen=True)
class MemberChange:
    """One member whose mark of an attempt changes."""

    member: Membership
    quiz: str
    was: str
    now: str
    change: Change


def _by_member(planned: Plan, cohort: Cohort | None) -> list[MemberChange]:
    """Return the members of a class whose attempts change, by name; nobody outside of a class."""
    if cohort is None:
        return []
    members = members_by_learner(cohort, planned.learners)
    titles = {one.sitting: one.title for one in _with_titles(cohort)}
    rows = [
        MemberChange(
            members[one.learner],
            titles.get(one.sitting or 0, ""),
            _percent(one.was_share),
            _percent(one.now_share),
            one,
        )
        for one in planned.changes
        if one.learner in members
    ]
    return sorted(rows, key=lambda row: (row.member.label, row.quiz))[:MOST_NAMED]


def _with_titles(cohort: Cohort) -> Iterable[Assignment]:
    rows = Assignment.objects.filter(cohort=cohort, quiz__isnull=False)
    return rows.select_related("quiz", "exercise", "lesson")


def _percent(share: Any) -> str:
    return f"{100 * share:.0f} %"


@dataclass(frozen=True)
class DoneBefore:
    """One earlier regrade; `may_undo` and `may_decline` are what this account may do with it."""

    regrade: Regrade
    changed: int
    may_undo: bool
    may_decline: bool


def _done_before(request: HttpRequest, found: Question) -> list[DoneBefore]:
    """Return the regrades of a question that concern this page: the course's, and this class's."""
    cohort, role = COHORT.get(request), ROLE.get(request)
    slug = cohort.slug if cohort else ""
    sittings = scope_of(cohort).sittings if cohort else None
    rows = regrades_of(found, sittings).filter(cohort__in={"", slug})
    return [
        DoneBefore(
            regrade=one,
            changed=one.changed,
            may_undo=one.undone_at is None
            and (one.cohort == slug)
            and (cohort is not None or bool(role and role.may_edit)),
            may_decline=cohort is not None
            and not one.cohort
            and one.undone_at is None
            and bool(one.changed),
        )
        for one in rows
    ]


def _classes_that_marked(found: Question) -> int:
    """Return how many classes marked their own answers anew, and did not undo it."""
    theirs = regrades_of(found).exclude(cohort="").filter(undone_at=None)
    return len(set(theirs.values_list("cohort", flat=True)))


@require_POST
@for_regrading
def undo_regrade(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Have answers count as before a regrade; a class declines one of the whole course."""
    found = _question(course, slug)
    cohort = COHORT.get(request)
    wanted = cohort.slug if cohort else ""
    done = get_object_or_404(regrades_of(found), pk=number, cohort__in={"", wanted})
    sittings = scope_of(cohort).sittings if cohort and not done.cohort else None
    try:
        count = undo(done, by=editor_of(request), sittings=sittings)
        words = f"Undone: {count} answer{'' if count == 1 else 's'} count as before."
        messages.success(request, words)
    except UndoRefusedError as error:
        later = ", ".join(f"“{one}” of {one.at:%-d %B %Y, %H:%M} UTC" for one in error.later)
        messages.error(request, f"Not undone: later regrades marked the same answers: {later}.")
    return redirect(_address(request, found))


def _address(request: HttpRequest, found: Question) -> str:
    address = address_in(found.course, "regrade_question", found.slug)
    cohort = COHORT.get(request)
    return f"{address}?{urlencode({'class': cohort.slug})}" if cohort else address


def _question(course: Course, slug: str) -> Question:
    rows = Question.objects.select_related("current", "course")
    return get_object_or_404(rows, course=course, slug=slug, current__isnull=False)


def _versions(found: Question) -> list[QuestionVersion]:
    """Return the versions that somebody was asked, the current one too, newest first."""
    met = Exists(Response.objects.filter(version=OuterRef("pk")))
    return list(found.versions.filter(met | Q(pk=found.current_id)).order_by("-number"))
