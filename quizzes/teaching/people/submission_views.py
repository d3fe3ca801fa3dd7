"""A class's submissions of code with their verdicts, comments on them, and grading again."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.classes.access import subjects_of_work, submissions_seen
from quizzes.classes.log import record_opening_for_class
from quizzes.classes.messages import MessageError, comment_on, comments_on, withdraw_comment
from quizzes.classes.models import Cohort, Comment
from quizzes.classes.week.known_mistakes import mistake_facts
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.audit import record
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.page_context import submission_page
from quizzes.exercises.picture_response import picture_response
from quizzes.exercises.services import grade_again
from quizzes.pages.markdown import LineLinks
from quizzes.teaching.access import (
    CLASS_ROLE,
    back_or,
    editor_of,
    for_class_instructors,
    for_class_staff,
)
from quizzes.teaching.addresses import class_address
from quizzes.teaching.lists import newest_page
from quizzes.teaching.people.forms import CommentForm
from quizzes.teaching.people.learner_work import mistakes_of, with_sentences
from quizzes.teaching.people.members import members_by_learner, with_members
from quizzes.teaching.people.submission_list import VERDICTS, SubmissionList

WRITE = "write"  # where the form of a comment stands on the page
HEAVY = tuple(f"exercise_version__{name}" for name in ("files", "problems", "outline", "proof"))


def recent_submissions(course: Course) -> QuerySet[Submission]:
    """Return submissions to a course, newest first, without code and reports; no checks."""
    return _light(Submission.objects.filter(exercise_version__exercise__course=course))


def _light(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    rows = rows.filter(kind=Submission.Kind.SUBMIT)
    rows = rows.select_related("learner__user", "exercise_version__exercise")
    return rows.defer("code", "report", *HEAVY).order_by("-pk")


def _rows_of(numbers: list[int]) -> list[Submission]:
    """Return the submissions with these keys, in their order, without code and reports."""
    found = _light(Submission.objects.all()).in_bulk(numbers)
    return [found[number] for number in numbers if number in found]


@never_cache
@require_safe
@for_class_staff
def submissions(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show every submission that the class sees, newest first, by exercise, verdict and member."""
    chosen = SubmissionList.requested(request, cohort)
    page = newest_page(request, chosen.rows().only("pk"), with_facts=_rows_of)
    rows = list(page.object_list)
    asked = f"{chosen.exercise}/{chosen.mistake}"
    names = mistakes_of(rows) | ({asked} if chosen.mistake else set())
    facts = mistake_facts(cohort.course, names)
    context = {
        "page": page,
        "rows": with_members(cohort, with_sentences(rows, facts)),
        "mistake_words": facts[asked].words if chosen.mistake else "",
        "exercises": Exercise.objects.filter(course=cohort.course_id, current__isnull=False)
        .values_list("slug", "current__title")
        .order_by("current__title", "slug"),
        "verdicts": VERDICTS,
        "chosen": chosen,
        "in_list": chosen.query,
        "member": chosen.member,
    }
    return render(request, "teaching/people/submissions.html", context)


def _seen(cohort: Cohort, number: int) -> Submission:
    rows = submissions_seen(cohort)
    rows = rows.select_related("learner__user", "exercise_version__exercise__course")
    return get_object_or_404(rows.defer(*HEAVY), pk=number)


@never_cache
@require_safe
@for_class_staff
def submission(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Show a submission or a check: its code, its verdict, comments, what failed on our side.

    The address names the list that it was opened from, and perhaps a line to comment on.
    """
    work = _seen(cohort, number)
    record_opening_for_class(cohort, editor_of(request), subjects_of_work(cohort, work))
    line = read_whole_number(request.GET.get("line", ""))
    return _page(request, cohort, work, CommentForm(initial={"line": line}), line=line)


@require_safe
@for_class_staff
def picture(request: HttpRequest, cohort: Cohort, number: int, layer: str) -> HttpResponse:
    """Draw one layer of a submission's failing case.

    This week shows it beside code without a name, so no opening is recorded.
    """
    return picture_response(request, _seen(cohort, number), layer, is_small=True)


def _page(
    request: HttpRequest,
    cohort: Cohort,
    submission: Submission,
    form: CommentForm,
    *,
    line: int | None = None,
    status: int = 200,
) -> HttpResponse:
    chosen = SubmissionList.requested(request, cohort)
    here = chosen.address_of(submission.pk)
    newer, older = chosen.neighbours(submission.pk)
    before = f"{here}{'&' if chosen.query else '?'}line="
    links = LineLinks(before, f"#{WRITE}", "Comment on line", line)
    context = {
        **submission_page(request, submission, links),
        "here": here,
        "in_list": chosen.query,
        "list": chosen,
        "newer": newer,
        "older": older,
        "write": WRITE,
        "member": members_by_learner(cohort, [submission.learner_id]).get(submission.learner_id),
        "comments": comments_on(submission, cohort=cohort),
        "form": form,
    }
    return render(request, "teaching/people/submission.html", context, status=status)


@require_http_methods(["POST"])
@for_class_staff
def comment(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Write a comment on a submission, on one of its lines if the form names one."""
    found = _seen(cohort, number)
    form = CommentForm(request.POST)
    if form.is_valid():
        try:
            comment_on(submission=found, cohort=cohort, by=editor_of(request), **form.cleaned_data)
        except MessageError as error:
            form.add_error("line", f"{error}.")
        else:
            messages.success(request, "The comment was sent.")
            return redirect(SubmissionList.requested(request, cohort).address_of(number))
    line = read_whole_number(request.POST.get("line", ""))
    return _page(request, cohort, found, form, line=line, status=400)


@require_POST
@for_class_staff
def withdraw(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Take a comment back: its own author, or an instructor of the class."""
    rows = Comment.objects.filter(cohort=cohort, withdrawn_at=None).select_related("response")
    if not CLASS_ROLE.of(request).may_manage:
        rows = rows.filter(by=editor_of(request))
    found = get_object_or_404(rows, pk=number)
    withdraw_comment(comment=found, by=editor_of(request))
    messages.success(request, "The comment was withdrawn.")
    if found.response is not None:
        return redirect(class_address(cohort, "class-attempt", found.response.attempt_id))
    return back_or(request, class_address(cohort, "class-submission", found.submission_id))


@require_POST
@for_class_instructors
def grade_submission(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """Put a submission back into the queue unchanged, and go back to the page of the button."""
    grade(request, _seen(cohort, number), cohort=cohort)
    return back_or(request, class_address(cohort, "class-submission", number))


def grade(request: HttpRequest, submission: Submission, *, cohort: Cohort | None = None) -> None:
    """Put a submission back into the queue, and say so."""
    by, course = editor_of(request), submission.exercise_version.exercise.course
    if grade_again(submission=submission, by=by):
        record(
            by=by,
            act="graded again",
            subjects=subjects_of_work(cohort, submission) if cohort else [submission.as_subject()],
            course=course,
            cohort=cohort.slug if cohort else "",
        )
        messages.success(request, f"Submission {submission.pk} will be graded again.")
    else:
        messages.info(request, f"Submission {submission.pk} is already waiting to be graded.")
