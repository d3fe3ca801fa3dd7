"""Forms of assignments, exceptions and marks. All times are typed in the zone of the class."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from quizzes.classes.assignments import ON_PURPOSE
from quizzes.classes.dates import city, exists_in
from quizzes.classes.models import Assignment, Cohort, MarkOverride
from quizzes.classes.models.work import MOST_ATTEMPTS, MOST_GRACE, MOST_MINUTES
from quizzes.classes.rules import WorkKind, after

TYPED = "%Y-%m-%dT%H:%M"
FORMATS = [TYPED, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]


class ClassTimeField(forms.Field):
    """A date and time on the clock of the class; the value is in UTC.

    An hour that the clock of the zone skips, or shows twice, is refused: nobody can know what was
    meant.
    """

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=TYPED)
    zone = ZoneInfo("UTC")

    def prepare_value(self, value: object) -> object:
        return value.astimezone(self.zone).strftime(TYPED) if isinstance(value, datetime) else value

    def to_python(self, value: object) -> datetime | None:
        if isinstance(value, datetime):
            return value
        text = str(value or "").strip()
        if not text:
            return None
        local = self._read(text)
        first, second = (local.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        try:
            is_shown = exists_in(local, self.zone)
        except OverflowError as error:
            raise ValidationError(
                f"{text[:40]!r} is outside the calendar. Type a year from 2 to 9998."
            ) from error
        if not is_shown:
            raise ValidationError(
                f"{local:%H:%M} on {local:%-d %B %Y} does not exist in {city(self.zone)}: the"
                " clocks go forward then. Type another time."
            )
        if first.utcoffset() != second.utcoffset():
            raise ValidationError(
                f"{local:%H:%M} on {local:%-d %B %Y} happens twice in {city(self.zone)}: the"
                " clocks go back then. Type another time."
            )
        return first.astimezone(UTC)

    @staticmethod
    def _read(text: str) -> datetime:
        for known in FORMATS:
            try:
                return datetime.strptime(text, known)
            except ValueError:
                continue
        raise ValidationError(
            f"{text[:40]!r} is not a date and time. Type one such as 2026-10-31T23:59."
        )


class OfClassForm(forms.Form):
    """A form whose times are those of a class."""

    def use_zone(self, cohort: Cohort) -> None:
        for field in self.fields.values():
            if isinstance(field, ClassTimeField):
                field.zone = cohort.zone


OF_QUIZZES = ("attempts", "minutes", "counts", "shows_answers", "practice", "shuffle_questions")
OF_EXERCISES = ("attempts", "exercise_counts", "other_convention_counts", "shows_answers")
BY_KIND = {
    WorkKind.QUIZ: (*OF_QUIZZES, "late_percent_per_day", "shows_marks"),
    WorkKind.EXERCISE: (*OF_EXERCISES, "late_percent_per_day", "shows_marks"),
    WorkKind.LESSON: ("includes_deeper", "shows_marks"),
}
ALWAYS = ("points", "opens_at", "due_at", "grace_minutes", "closes_at", "place", "is_visible")
# Points are at stake: a form that is not touched shows no key while they can be earned.
OF_A_NEW_ONE = {"shows_answers": Assignment.ShowsWhen.AFTER_CLOSE, "practice": ""}
SHOWN_LATER = "after it closes; if it never closes, after the due date"
DEEPER = "Include the “Going deeper” steps"
SETTLED = "the assignment has opened, so its steps no longer change"
NO_DATE = "It never closes, and there is no due date: set one of them, or choose another option."


class AssignmentForm(OfClassForm):
    """An assignment of one kind; fields that mean nothing for the kind are not there."""

    points = forms.DecimalField(
        min_value=Decimal("0.01"),
        max_digits=6,
        decimal_places=2,
        help_text="What the whole assignment is worth in the class’s gradebook.",
    )
    opens_at = ClassTimeField(label="Opens")
    due_at = ClassTimeField(
        label="Due", required=False, help_text="Work submitted by then is on time."
    )
    grace_minutes = forms.IntegerField(
        label="Grace, in minutes",
        min_value=0,
        max_value=MOST_GRACE,
        required=False,
        help_text=(
            "Work submitted up to this many minutes after the due time counts as on time. The same "
            "grace applies to each late day."
        ),
    )
    closes_at = ClassTimeField(
        label="Closes",
        required=False,
        help_text="Nothing can be submitted after that. If this is empty, the assignment never"
        " closes, and marks can still change.",
    )
    late_percent_per_day = forms.IntegerField(
        label="Late penalty, in percent a day",
        min_value=0,
        max_value=100,
        help_text="This share of the points earned is taken off for each late day, even one that "
        "has only just started. Late days end at the due time, in the class’s time zone.",
    )
    attempts = forms.IntegerField(
        min_value=1,
        max_value=MOST_ATTEMPTS,
        required=False,
        help_text="Empty: no limit.",
    )
    minutes = forms.IntegerField(
        label="Minutes for an attempt",
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
        help_text="If this is empty, there is no limit until the assignment closes.",
    )
    counts = forms.ChoiceField(label="What counts", choices=Assignment.Counts.choices)
    exercise_counts = forms.ChoiceField(
        label="What counts", choices=Assignment.ExerciseCounts.choices
    )
    other_convention_counts = forms.BooleanField(
        label="Right numbers in another convention count as solved", required=False
    )
    includes_deeper = forms.BooleanField(label=DEEPER, required=False)
    shows_marks = forms.ChoiceField(
        label="Learners see the mark", choices=Assignment.ShowsWhen.choices
    )
    shows_answers = forms.ChoiceField(
        label="Learners see the answers",
        choices=[
            (when, SHOWN_LATER if when == Assignment.ShowsWhen.AFTER_CLOSE else words)
            for when, words in Assignment.ShowsWhen.choices
        ],
    )
    practice = forms.ChoiceField(
        label="Practice that does not count",
        required=False,
        choices=[("", "Only while the answers are shown"), *Assignment.Practice.choices],
    )
    shuffle_questions = forms.BooleanField(
        label="Each learner gets the questions in their own order", required=False
    )
    place = forms.IntegerField(
        label="Place in the list",
        min_value=0,
        max_value=100_000,
        required=False,
        help_text="Smaller numbers come first. Leave empty to put it at the end.",
    )
    is_visible = forms.BooleanField(label="The class sees it", required=False)
    revision = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self, data: Mapping[str, Any] | None, *, cohort: Cohort, assignment: Assignment
    ) -> None:
        names = (*ALWAYS, *BY_KIND[assignment.work_kind])
        initial = {name: getattr(assignment, name) for name in names}
        initial["revision"] = assignment.revision
        if assignment.pk is None:
            initial |= {name: OF_A_NEW_ONE[name] for name in names if name in OF_A_NEW_ONE}
        super().__init__(data, initial=initial)
        for name in list(self.fields):
            if name not in (*names, "revision"):
                del self.fields[name]
        self.assignment = assignment
        if "includes_deeper" in self.fields:
            self._offer_deeper_steps(assignment)
        self.use_zone(cohort)

    def _offer_deeper_steps(self, assignment: Assignment) -> None:
        """Ask only for a lesson that has such steps, and only until its steps are settled.

        Then say what counts: a step that goes deeper by now may have been on the path before.
        """
        lesson = assignment.lesson
        assert lesson is not None
        if lesson.is_reference or not lesson.deeper_steps:
            del self.fields["includes_deeper"]
        elif assignment.pk is not None and assignment.opens_at <= timezone.now():
            deeper = {f"{lesson.slug}/{step.slug}" for step in lesson.deeper_steps}
            self.initial["includes_deeper"] = any(step in deeper for step, _ in assignment.steps)
            self.fields["includes_deeper"].disabled = True
            self.fields["includes_deeper"].label = f"{DEEPER} ({SETTLED})"

    def clean_grace_minutes(self) -> int:
        return self.cleaned_data["grace_minutes"] or 0

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        found = self.cleaned_data
        never_closes = "closes_at" not in self.errors and not found.get("closes_at")
        shown = found.get("shows_answers")
        if shown == Assignment.ShowsWhen.AFTER_CLOSE and never_closes:
            if "due_at" not in self.errors and not found.get("due_at"):
                self.add_error("shows_answers", NO_DATE)
            else:
                found["shows_answers"] = Assignment.ShowsWhen.AFTER_DUE
        grace, due, closes = (found.get(name) for name in ("grace_minutes", "due_at", "closes_at"))
        if grace and due and closes and due <= closes < after(due, timedelta(minutes=grace)):
            words = f"It closes before the {grace} minutes of grace are over: set a later time."
            self.add_error("closes_at", words)
        if found.get("practice") == "":
            found["practice"] = _practice_beside(shown, never_closes=never_closes)
        for name in ("shows_marks", "shows_answers", "practice"):
            when = found.get(name)
            if when == "after_due" and "due_at" not in self.errors and not found.get("due_at"):
                self.add_error(name, "There is no due date: set one, or choose another option.")
            closes = "closes_at" in self.errors or found.get("closes_at")
            if when == "after_close" and not closes:
                self.add_error(
                    name, "It never closes: set a closing time, or choose another option."
                )
        return values

    def put_in(self) -> Assignment:
        """Return the assignment with the values of a valid form, not saved."""
        for name, value in self.cleaned_data.items():
            if name != "revision":
                setattr(self.assignment, name, value)
        self.assignment.place = self.cleaned_data["place"] or 0
        return self.assignment

    def add_faults(self, error: ValidationError) -> None:
        """Put faults that the service found at their fields, others above the form."""
        faults = error.message_dict if hasattr(error, "error_dict") else {"__all__": error.messages}
        for name, messages in faults.items():
            for words in messages:
                self.add_error(name if name in self.fields else None, words)


def _practice_beside(shown: str | None, *, never_closes: bool) -> str:
    """Return when a quiz may be practised so that practice shows no answer that is hidden."""
    kind = Assignment.Practice
    if shown == Assignment.ShowsWhen.AT_ONCE:
        return kind.ALLOWED
    is_shown_once = shown != Assignment.ShowsWhen.NEVER and not never_closes
    return kind.AFTER_CLOSE if is_shown_once else kind.NEVER


CLEARED = (
    ("opens_at", "Opens"),
    ("due_at", "Due"),
    ("closes_at", "Closes"),
    ("attempts", "Attempts"),
    ("minutes", "Minutes"),
    ("note", "Note"),
    ("earlier_on_purpose", "Earlier or lower"),
    ("is_excused", "Excused"),
)


class ExceptionForm(OfClassForm):
    """What some members may do differently. An empty field leaves what a member has."""

    opens_at = ClassTimeField(label="Opens", required=False)
    due_at = ClassTimeField(label="Due", required=False)
    closes_at = ClassTimeField(label="Closes", required=False)
    attempts = forms.IntegerField(min_value=1, max_value=MOST_ATTEMPTS, required=False)
    minutes = forms.IntegerField(
        label="Minutes for an attempt", min_value=1, max_value=MOST_MINUTES, required=False
    )
    note = forms.CharField(
        label="Note for the staff",
        max_length=300,
        required=False,
        help_text="The reason for the exception; learners do not see it.",
    )
    earlier_on_purpose = forms.BooleanField(
        label=f"{ON_PURPOSE} than the class has", required=False
    )
    is_excused = forms.BooleanField(
        label="Excused: it counts towards neither the sum nor the possible points",
        required=False,
    )
    clear = forms.MultipleChoiceField(
        label="Same as the class",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Tick the fields to clear.",
    )

    def __init__(self, data: Mapping[str, Any] | None, *, assignment: Assignment) -> None:
        super().__init__(data)
        if assignment.quiz_id is None:
            del self.fields["minutes"]
        if assignment.lesson_id is not None:
            del self.fields["attempts"]
        clear = self.fields["clear"]
        assert isinstance(clear, forms.MultipleChoiceField)
        clear.choices = [(name, words) for name, words in CLEARED if name in self.fields]
        self.use_zone(assignment.cohort)

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        if not self.errors and not any(self.cleaned_data.values()):
            raise ValidationError("Change at least one field, or tick a box.")
        for name in self.cleaned_data.get("clear", ()):
            if self.cleaned_data.get(name):
                self.add_error(
                    name, "Either fill it in, or tick it below to clear it, but not both."
                )
        return values

    def add_faults(self, error: ValidationError) -> None:
        for name, messages in error.message_dict.items():
            for words in messages:
                self.add_error(name if name in self.fields else None, words)


class ExtraTimeForm(forms.Form):
    """Extra time for members, in percent of the minutes of an attempt."""

    percent = forms.IntegerField(
        label="Extra time",
        min_value=0,
        max_value=300,
        help_text="For example, 50 % turns 30 minutes into 45.",
    )


class OverrideForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's has none
    """Points set by hand, with the reason that the student reads."""

    class Meta:
        model = MarkOverride
        fields = ("points", "reason")
        help_texts = {
            "points": "Leave empty to remove the mark set by hand.",
            "reason": "The student will see it. If you remove the mark, only staff will see it.",
        }
