"""A learner's pages of classes: the list of them, and one class."""

from functools import cache
from http import HTTPStatus

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.classes.access import role_in_class
from quizzes.classes.class_page import class_page, new_since, own_place
from quizzes.classes.messages import unread_by
from quizzes.classes.models import Announcement, Cohort, Membership
from quizzes.courses.content import note_token
from quizzes.learners.progress import course_rows
from quizzes.learners.services import current_learner
from quizzes.pages.markdown import render_markdown
from quizzes.statements import Param, Reader

MOST_NEWS = 3


@never_cache
@require_safe
def classes(request: HttpRequest) -> HttpResponse:
    """List the classes of an account, archived ones apart; lead to the only one."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    held = Membership.objects.filter(user=request.user, state=Membership.State.ACTIVE)
    rows = list(
        held.select_related("cohort__course").order_by("-cohort__begins_on", "cohort__title")
    )
    if len(rows) == 1 and rows[0].role == Membership.Role.STUDENT:
        return redirect("classes:class", rows[0].cohort.slug)
    context = {
        "places": [one for one in rows if one.cohort.archived_at is None],
        "archived": [one for one in rows if one.cohort.archived_at is not None],
    }
    return render(request, "classes/classes.html", context)


@never_cache
@require_safe
def one_class(request: HttpRequest, cohort: str) -> HttpResponse:
    """Show a student what is due next, the marks with why, and what was said and added."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    learner = current_learner(request)
    account = learner.user_id if learner is not None else request.user.pk
    place = own_place(cohort, account)
    if place is None or place.role != Membership.Role.STUDENT:
        found = Cohort.objects.select_related("course").filter(slug=cohort).first()
        role = role_in_class(found, request.user) if found is not None else None
        if found is not None and role is not None and role.teaches:
            return redirect("teaching:cohort", found.slug)
        if found is not None and _was_removed(found, account):
            told = {"cohort": found, "course": found.course}
            return render(request, "classes/removed.html", told, status=HTTPStatus.GONE)
        raise Http404(f"there is no class {cohort}")
    course = note_token(place.cohort.course)
    if learner is not None:
        course_rows(course.pk, learner)  # with which unread messages are read
    news = _announcements().read(place=place.pk, cohort=place.cohort_id)
    context = {
        "cohort": place.cohort,
        "member": place,
        "course": course,
        "page": class_page(place, learner, timezone.now()),
        "new": new_since(place.cohort, learner),
        "announcements": [{"row": one, "html": render_markdown(one.text)} for one in news],
        "comments": unread_by(learner).comments.get(place.cohort_id, 0) if learner else 0,
    }
    return render(request, "classes/class.html", context)


@cache
def _announcements() -> Reader[Announcement]:
    news = Announcement.objects.told_to(Param("place")).filter(cohort=Param("cohort"))
    return Reader(news.select_related("by")[:MOST_NEWS])


def _was_removed(cohort: Cohort, account: int | None) -> bool:
    removed = Membership.objects.filter(
        state=Membership.State.REMOVED, role=Membership.Role.STUDENT
    )
    return removed.filter(cohort=cohort, user=account).exists()
