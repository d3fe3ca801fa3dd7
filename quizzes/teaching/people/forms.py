"""Forms about classes and their people."""

import json
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.text import slugify

from quizzes.classes.models import Cohort, Membership
from quizzes.classes.names import fold_email
from quizzes.courses.models import Course
from quizzes.pages.markdown import faults_for_form
from quizzes.teaching.people.time_zones import UTC, listed_name, other_names, zone_names

MOST_NAME = 200
MOST_DAYS = 365  # by which a due date moves at once


class DayField(forms.DateField):
    """A day, typed as 2026-09-30."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(input_formats=["%Y-%m-%d"], **kwargs)
        self.error_messages["invalid"] = "Type a date such as 2026-09-30."


def _zone_choices() -> list[tuple[str, str]]:
    return [(name, name.replace("_", " ")) for name in zone_names()]


class ZoneField(forms.ChoiceField):
    """A time zone, under its present name or one from before."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=_zone_choices, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return listed_name(value) if isinstance(value, str) else value

    def to_python(self, value: Any) -> str:
        return listed_name(super().to_python(value))


class ClassForm(forms.Form):
    """What a class is called, when it is, and where its clock stands."""

    title = forms.CharField(
        max_length=MOST_NAME,
        help_text="The name that students will see, such as “Transformers, autumn 2026”.",
    )
    begins_on = DayField(label="First day")
    ends_on = DayField(label="Last day")
    zone = ZoneField(
        label="Time zone",
        help_text="All times in this class are entered and shown in this time zone.",
    )

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        begins, ends = self.cleaned_data.get("begins_on"), self.cleaned_data.get("ends_on")
        if begins and ends and begins > ends:
            self.add_error("ends_on", f"{ends} is before the first day, {begins}.")
        return values


class OpenClassForm(ClassForm):
    """A new class of a course."""

    course = forms.ModelChoiceField(
        queryset=Course.objects.none(), to_field_name="slug", empty_label=None
    )
    slug = forms.CharField(
        label="Name in addresses",
        required=False,
        max_length=60,
        help_text="Lower-case words joined by hyphens. It cannot be changed later. Leave empty to"
        " derive it from the title.",
    )
    model = forms.ModelChoiceField(
        label="Assignments as in",
        queryset=Cohort.objects.none(),
        to_field_name="slug",
        required=False,
        empty_label="No class: begin without assignments",
        help_text="You see all dates in a table, moved by whole weeks, before the class opens.",
    )
    field_order = ["course", "title", "slug", "begins_on", "ends_on", "zone", "model"]

    def __init__(self, data: Mapping[str, Any] | None, *, courses: Any, models: Any) -> None:
        today = date.today()
        super().__init__(
            data,
            initial={
                "begins_on": today,
                "ends_on": today + timedelta(weeks=16),
                "zone": UTC,
            },
        )
        if data is None:  # `zone_preset.js` chooses the zone of the browser
            self.fields["zone"].widget.attrs["data-other-names"] = json.dumps(dict(other_names()))
        field = self.fields["course"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = courses
        earlier = self.fields["model"]
        assert isinstance(earlier, forms.ModelChoiceField)
        earlier.queryset = models
        if not models.exists():
            del self.fields["model"]

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        course, model = self.cleaned_data.get("course"), self.cleaned_data.get("model")
        if course and model and model.course_id != course.pk:
            words = f"{model.title} is a class of the course {model.course.title}: choose it above."
            self.add_error("model", words)
        return values

    def clean_slug(self) -> str:
        title = self.data.get("title", "")
        slug = str(self.cleaned_data["slug"]) or slugify(title)[:60].strip("-_")
        if not slug:
            raise forms.ValidationError("Type a name: none could be derived from this title.")
        if Cohort.objects.filter(slug=slug).exists():
            words = f"A class named {slug} already exists: choose another name."
            raise forms.ValidationError(words)
        return slug


class MemberForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's has none
    """What a class says of one person."""

    class Meta:
        model = Membership
        fields = (
            "name",
            "email",
            "external_id",
            "login_id",
            "section",
            "role",
            "extra_time_percent",
        )
        labels = {
            "email": "E-mail address",
            "external_id": "School id",
            "login_id": "School login",
            "extra_time_percent": "Extra time in percent",
        }
        help_texts = {
            "extra_time_percent": "From 0 to 300: how much extra time this person gets whenever"
            " there is a time limit.",
        }
        widgets = {"email": forms.EmailInput()}

    extra_time_percent = forms.IntegerField(
        label="Extra time in percent",
        min_value=0,
        max_value=300,
        required=False,
        help_text="How much extra time this person gets whenever there is a time limit.",
    )

    def clean_email(self) -> str:
        email = fold_email(self.cleaned_data["email"])
        if email:
            validate_email(email)  # else no roster with it could be brought in again
        return email

    def clean_extra_time_percent(self) -> int:
        return int(self.cleaned_data["extra_time_percent"] or 0)

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        known = [self.cleaned_data.get(one) for one in ("email", "external_id", "login_id")]
        if self.instance.user_id is None and not any(known):
            self.add_error("email", "Type an address, an id or a login to identify this person.")
        return values

    def validate_unique(self) -> None:
        """Leave it to the service, which holds the class while it looks."""

    def validate_constraints(self) -> None:
        """Leave them to the service, which says in words whom a row would collide with."""


class MoveDatesForm(forms.Form):
    """Everything due to one member between two days, moved by some days."""

    first = DayField(label="Due from")
    last = DayField(label="To")
    days = forms.IntegerField(label="Move by, in days", min_value=1, max_value=MOST_DAYS)
    note = forms.CharField(
        label="Note for the staff",
        max_length=300,
        required=False,
        help_text="The reason; learners do not see it.",
    )

    def clean(self) -> dict[str, Any] | None:
        values = super().clean()
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and first > last:
            self.add_error("last", f"{last} is before {first}.")
        return values


class AnnouncementForm(forms.Form):
    """What staff tell the class."""

    title = forms.CharField(max_length=MOST_NAME)
    text = forms.CharField(
        max_length=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Markdown; formulas go between dollar signs or in \\( \\).",
    )

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"])
        if faults := faults_for_form(text):
            raise ValidationError(faults)
        return text


class AnswerCommentForm(forms.Form):
    """A comment on one answer of an attempt."""

    text = forms.CharField(max_length=5_000, widget=forms.Textarea(attrs={"rows": 3}))


class CommentForm(AnswerCommentForm):
    """A comment on a submission, on a line of it where one is named."""

    line = forms.IntegerField(min_value=1, required=False)
