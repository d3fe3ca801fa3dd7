"""The next term: a class opened with the assignments of an earlier one, the dates in a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import get_text_list
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.classes.access import courses_to_teach
from quizzes.classes.models import Assignment, Cohort
from quizzes.classes.moved_dates.next_term import (
    ModelAssignment,
    NextTermError,
    OpenedClass,
    model_assignments,
    model_classes,
    moved_dates,
    open_as,
    weeks_between,
)
from quizzes.classes.rules import DATES, date_fault
from quizzes.classes.services import ClassError
from quizzes.content_files.typed_text import isolate
from quizzes.learners.instructors import instructors_only
from quizzes.teaching.access import editor_of
from quizzes.teaching.addresses import class_address
from quizzes.teaching.people.forms import OpenClassForm
from quizzes.teaching.work.forms import ClassTimeField, OfClassForm

MOST_NAMED = 5  # titles in a message
SHOWN_AT_A_DATE = {"after_due": ("due_at", "due date"), "after_close": ("closes_at", "closing")}
SETTINGS = (
    ("shows_marks", "marks are shown"),
    ("shows_answers", "answers are shown"),
    ("practice", "practice begins"),
)


class AssignmentDatesForm(OfClassForm):
    """One line of the table: whether the new class gets the assignment, and when."""

    is_copied = forms.BooleanField(required=False, label="Assign")
    opens_at = ClassTimeField(label="Opens", required=False)
    due_at = ClassTimeField(label="Due", required=False)
    closes_at = ClassTimeField(label="Closes", required=False)

    def __init__(
        self, data: Mapping[str, Any] | None, *, row: ModelAssignment, zone: ZoneInfo, weeks: int
    ) -> None:
        self.assignment, self.is_there = row.assignment, row.is_there
        initial = {"is_copied": row.is_there, **moved_dates(row.assignment, weeks, zone)}
        super().__init__(data, initial=initial, prefix=f"a{row.assignment.pk}")
        for name in DATES:
            field = self.fields[name]
            assert isinstance(field, ClassTimeField)
            field.zone = zone
        for field in self.fields.values():
            words = f"{field.label}: {row.assignment.title}"
            field.widget.attrs["aria-label"] = words
            if not row.is_there:
                field.disabled = True

    @property
    def is_chosen(self) -> bool:
        """Return whether the new class gets it, by a form that was checked."""
        return bool(self.is_there and self.cleaned_data.get("is_copied"))

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        if not self.is_chosen:
            self.errors.clear()  # the dates of what is left out do not matter
            return values
        dates = {name: self.cleaned_data.get(name) for name in DATES}
        if dates["opens_at"] is None and "opens_at" not in self.errors:
            self.add_error("opens_at", "Type when it opens, or untick it.")
        if not self.errors and (fault := date_fault(**dates)) is not None:
            self.add_error(fault[0], f"It {fault[1]}.")
        for name, words in SETTINGS:
            date = SHOWN_AT_A_DATE.get(getattr(self.assignment, name))
            if date and date[0] not in self.errors and dates[date[0]] is None:
                self.add_error(date[0], f"Needs a {date[1]} date: {words} after it.")
        return values

    def add_faults(self, error: ValidationError) -> None:
        """Put what the service says at the fields, and what has no field at the first date."""
        faults = error.message_dict if hasattr(error, "error_dict") else {"": error.messages}
        for name, sentences in faults.items():
            for words in sentences:
                self.add_error(name if name in self.fields else "opens_at", words)


@dataclass(frozen=True)
class NextTermPage:
    """What the page shows: the class to be opened, and a line for each assignment of the model."""

    form: OpenClassForm
    model: Cohort
    rows: Sequence[AssignmentDatesForm]
    weeks: int
    is_elsewhere: bool  # the new class has another time zone than the model

    def context(self) -> dict[str, Any]:
        return {
            "form": self.form,
            "model": self.model,
            "rows": self.rows,
            "weeks": self.weeks,
            "is_elsewhere": self.is_elsewhere,
            "gone": sum(not row.is_there for row in self.rows),
            "has_errors": bool(self.form.errors) or any(row.errors for row in self.rows),
        }


def next_term_address(form: OpenClassForm) -> str:
    """Return the address of the table for a valid form, which carries all that was typed."""
    typed = {name: form.data.get(name, "") for name in form.fields}
    return f"{reverse('teaching:next-term')}?{urlencode(typed)}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@instructors_only
def next_term(request: HttpRequest) -> HttpResponse:
    """Show the assignments of the model with their dates moved; POST opens the class with them."""
    account = editor_of(request)
    if not account.is_instructor:
        raise PermissionDenied("only instructors can open classes")
    typed = request.POST if request.method == "POST" else request.GET
    if "model" not in typed:
        return redirect("teaching:classes")
    models = model_classes(account)
    model = models.filter(slug=typed.get("model", "")[:60].replace("\0", "")).first()
    if model is None:
        raise Http404("no class of yours has this name")
    form = OpenClassForm(typed, courses=courses_to_teach(account), models=models)
    form.fields["model"].widget = forms.HiddenInput()
    is_sent = request.method == "POST" and typed.get("do") == "open"
    page = _page(form, model, typed if is_sent else None)
    is_valid = is_sent and form.is_valid() & all(row.is_valid() for row in page.rows)
    if is_valid:
        try:
            opened = _opened(page, account)
        except ClassError as error:
            form.add_error("slug", f"{error}.")
        except NextTermError as error:
            for row in page.rows:
                if (fault := error.faults.get(row.assignment.pk)) is not None:
                    row.add_faults(fault)
        else:
            messages.success(request, _words(opened))
            return redirect(class_address(opened.cohort, "class-assignments"))
    context = page.context()
    status = 400 if context["has_errors"] else 200
    with timezone.override(model.zone):  # of the dates that it had
        return render(request, "teaching/people/next_term.html", context, status=status)


def _page(form: OpenClassForm, model: Cohort, data: Mapping[str, Any] | None) -> NextTermPage:
    """Return the page; a class with a fault keeps the days and the clock of the model."""
    is_valid = form.is_valid()
    zone = ZoneInfo(form.cleaned_data["zone"]) if "zone" in form.cleaned_data else model.zone
    begins_on = form.cleaned_data["begins_on"] if is_valid else model.begins_on
    weeks = weeks_between(model, begins_on)
    rows = [
        AssignmentDatesForm(data, row=row, zone=zone, weeks=weeks)
        for row in model_assignments(model)
    ]
    return NextTermPage(form, model, rows, weeks, zone != model.zone)


def _opened(page: NextTermPage, account: Any) -> OpenedClass:
    chosen = [row for row in page.rows if row.is_chosen]
    facts = {name: value for name, value in page.form.cleaned_data.items() if name != "model"}
    assignments: list[Assignment] = [row.assignment for row in chosen]
    dates = {row.assignment.pk: {name: row.cleaned_data[name] for name in DATES} for row in chosen}
    return open_as(models=assignments, dates=dates, by=account, **facts)


def _words(opened: OpenedClass) -> str:
    count, title = opened.count, isolate(opened.cohort.title)
    words = f"The class {title} is open with {count} assignment{'' if count == 1 else 's'}."
    if opened.hidden:
        names = [f"“{isolate(work)}”" for work in opened.hidden[:MOST_NAMED]]
        if len(opened.hidden) > MOST_NAMED:
            names.append(f"{len(opened.hidden) - MOST_NAMED} more")
        words += f" Hidden until their questions have numbers: {get_text_list(names, 'and')}."
    return words
