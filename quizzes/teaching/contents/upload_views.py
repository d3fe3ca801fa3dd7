"""Upload a course as a zip: look at what it would do, then apply exactly that."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from quizzes.authoring.begun_courses import TakenError
from quizzes.authoring.changed_content import OutdatedPlanError
from quizzes.authoring.course_zip import MAX_ZIP_BYTES, ZipError
from quizzes.authoring.loading import Choice, FolderError
from quizzes.authoring.uploads import Plan, apply_upload, plan_upload
from quizzes.content_files.typed_text import isolate
from quizzes.courses.models import Course, PendingZip
from quizzes.learners.instructors import instructors_only
from quizzes.learners.models import User
from quizzes.teaching.access import editor_of, for_editors
from quizzes.teaching.addresses import address_in
from quizzes.teaching.contents.new_course_views import NameForm

MOST_SHOWN = 200  # faults, and changes; the rest is counted
GONE = "There is no zip to apply any more. Choose it again."


class ZipForm(forms.Form):
    """A zip that replaces what a course has."""

    zip = forms.FileField(
        label="Zip",
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,application/zip"}),
        help_text=(
            "At most 10 MB, with course.yaml at its top or in one folder. What the course has and"
            " the zip lacks is withdrawn, except what was begun in the browser."
        ),
    )

    def clean_zip(self) -> Any:
        file = self.cleaned_data["zip"]
        if file.size > MAX_ZIP_BYTES:
            raise forms.ValidationError(
                f"the zip has {file.size} bytes; the limit is {MAX_ZIP_BYTES}"
            )
        return file


class NewZipForm(NameForm, ZipForm):
    """A zip that becomes a course."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_editors
def into_course(request: HttpRequest, course: Course) -> HttpResponse:
    """Take a zip for a course that belongs to no folder, and show what it would change."""
    form = None if course.has_folder else ZipForm(request.POST or None, request.FILES or None)
    return _look(request, form, course)


@require_POST
@for_editors
def apply_to_course(request: HttpRequest, course: Course) -> HttpResponse:
    """Load the zip that was looked at into its course."""
    here = address_in(course, "contents-upload")
    if course.has_folder:  # the page says why
        messages.error(request, "Not applied: this course is loaded from a folder now.")
        return redirect(here)
    return _apply(request, course.slug, course, here)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@instructors_only
def as_new_course(request: HttpRequest) -> HttpResponse:
    """Take a zip for a course that is new, and show what it has."""
    _instructor(request)
    return _look(request, NewZipForm(request.POST or None, request.FILES or None), None)


@require_POST
@instructors_only
def apply_as_new_course(request: HttpRequest) -> HttpResponse:
    """Make a course of the zip that was looked at; the account becomes its owner."""
    account = _instructor(request)
    pending = PendingZip.objects.filter(by=account).only("slug").first()
    back = reverse("teaching:upload-course")
    if pending is not None and Course.objects.filter(slug=pending.slug).exists():
        messages.error(request, f"There is already a course {isolate(pending.slug)}.")
        return redirect(back)
    return _apply(request, pending.slug if pending else "", None, back)


def _instructor(request: HttpRequest) -> User:
    account = editor_of(request)
    if not account.is_instructor:
        raise PermissionDenied("only instructors can begin courses")
    return account


def _look(request: HttpRequest, form: ZipForm | None, course: Course | None) -> HttpResponse:
    """Show the form, or the plan of the zip that was sent with it."""
    if form is None or request.method != "POST" or not form.is_valid():
        return _show(request, form, course, status=400 if form and form.errors else 200)
    slug = course.slug if course else str(form.cleaned_data["slug"])  # a new one has a name
    data = form.cleaned_data["zip"].read(MAX_ZIP_BYTES + 1)
    try:
        plan = plan_upload(slug, data)
    except ZipError as error:
        form.add_error("zip", str(error))
        return _show(request, form, course, status=400)
    if not plan.faults:
        waiting = {"slug": slug, "data": data, "at": timezone.now()}
        PendingZip.objects.update_or_create(by=editor_of(request), defaults=waiting)
    return _show(request, form, course, plan, status=400 if plan.faults else 200)


def _apply(request: HttpRequest, slug: str, course: Course | None, back: str) -> HttpResponse:
    account = editor_of(request)
    pending = PendingZip.objects.filter(by=account, slug=slug).first()
    if pending is None:
        messages.error(request, GONE)
        return redirect(back)
    data, digest = bytes(pending.data), request.POST.get("digest", "")
    choice = Choice.OURS if request.POST.get("wins") == "zip" else Choice.NOBODY
    try:
        made, loaded = apply_upload(slug, data, digest=digest, choice=choice, by=account)
    except OutdatedPlanError:
        words = "Not applied: the course was changed after you looked. Look at the new list first."
        messages.error(request, words)
        form = ZipForm() if course else NewZipForm(initial={"slug": slug})
        return _show(request, form, course, plan_upload(slug, data), status=409)
    except (FolderError, TakenError, ZipError) as error:
        messages.error(request, f"Not applied: {error}.")
        return redirect(back)
    pending.delete()
    left = len(loaded.conflicts)
    words = f"The zip is in {isolate(made.title)} now."
    if left:
        words += f" {left} thing{'s' * (left != 1)} changed in the browser stayed as before."
    messages.success(request, words)
    return redirect(address_in(made, "contents"))


def _show(
    request: HttpRequest,
    form: ZipForm | None,
    course: Course | None,
    plan: Plan | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    new, own = reverse("teaching:apply-course"), "contents-upload-apply"
    apply = address_in(course, own) if course else new
    context: dict[str, Any] = {"form": form, "into": course, "plan": plan, "apply": apply}
    if plan is not None:
        rows = [
            (change, plan.drafts.get((change.kind, change.slug)))
            for change in plan.changes[:MOST_SHOWN]
        ]
        context |= {
            "slug": plan.files.slug,
            "counted": plan.files.counted(),
            "rows": rows,
            "more_rows": len(plan.changes) - len(rows),
            "faults": plan.faults[:MOST_SHOWN],
            "more_faults": max(len(plan.faults) - MOST_SHOWN, 0),
            "remarks": plan.remarks[:MOST_SHOWN],
            "has_conflicts": any(change.change == "conflict" for change in plan.changes),
            "has_exercises": any(
                change.kind == "exercise" and change.change != "withdrawn"
                for change in plan.changes
            ),
        }
    return render(request, "teaching/contents/upload.html", context, status=status)
