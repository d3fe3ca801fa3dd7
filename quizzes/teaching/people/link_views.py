"""Personal links by mail: who would get one, how far it has come, send and stop."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quizzes.classes.link_mails.plan import plan_links
from quizzes.classes.link_mails.sending import LinkRunError, open_run, start_run, stop_run
from quizzes.classes.link_mails.words import progress_of, summary_of
from quizzes.classes.models import Cohort, LinkRun, Membership
from quizzes.learners.password_again import ask_password, must_type_password
from quizzes.teaching.access import editor_of, for_class_instructors
from quizzes.teaching.addresses import class_address


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_class_instructors
def link_mails(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show who would get a link by mail; POST sends to exactly these people."""
    if request.method != "POST":
        return _page(request, cohort)
    replace_links = request.POST.get("replace") == "yes"
    page = class_address(cohort, "class-link-mails")
    people = plan_links(cohort, timezone.now()).addressees(replace_links=replace_links)
    if any(Membership.Role(place.role).teaches for place in people) and must_type_password(request):
        return ask_password(request, page=page)
    try:
        run = start_run(
            cohort=cohort,
            by=editor_of(request),
            digest=request.POST.get("digest", ""),
            replace_links=replace_links,
        )
    except LinkRunError as error:
        return _page(request, cohort, problem=f"Nothing was sent: {error}.")
    words = "1 link is being sent." if run.total == 1 else f"{run.total} links are being sent."
    messages.success(request, f"{words} You can leave this page.")
    return redirect(page)


@require_POST
@for_class_instructors
def stop(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Send no more links of the run that is under way."""
    if stop_run(cohort=cohort, by=editor_of(request)):
        messages.success(request, "No more links are being sent. Links already sent still work.")
    else:
        messages.error(request, "No links were being sent. Nothing was changed.")
    return redirect(class_address(cohort, "class-link-mails"))


def _page(request: HttpRequest, cohort: Cohort, *, problem: str = "") -> HttpResponse:
    plan = plan_links(cohort, timezone.now())
    run = open_run(cohort)
    last = LinkRun.objects.filter(cohort=cohort, ended_at__isnull=False).first()
    context = {
        "cohort": cohort,
        "plan": plan,
        "problem": problem,
        "mail_is_on": settings.CLASS_MAIL,
        "site_address": settings.SITE_ADDRESS,
        "run": run,
        "progress": progress_of(run) if run else "",
        "last": last,
        "last_words": summary_of(last) if last else "",
        "can_send": settings.CLASS_MAIL and run is None and cohort.archived_at is None,
        "minutes": -(-len(plan.without_link) // 60),
    }
    status = 409 if problem else 200
    return render(request, "teaching/people/link_mails.html", context, status=status)
