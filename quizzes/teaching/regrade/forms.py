"""The forms of the pages of regrades."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from quizzes.assessment.models import QuestionVersion, Regrade
from quizzes.content_files.characters import describe_refused
from quizzes.pages.markdown import faults_for_form
from quizzes.regrades.apply import MAX_NOTE

Rule, Rest = Regrade.Rule, Regrade.Rest
TYPED = {QuestionVersion.Kind.NUMERIC, QuestionVersion.Kind.TEXT}  # may be read differently today
BY_VERSION = {Rule.NEW_KEY, Rule.ACCEPT_BOTH}
RULES = {
    Rule.NEW_KEY: "By the current version",
    Rule.ACCEPT_BOTH: "Right by either version",
    Rule.ALL_RIGHT: "Right for everybody, including blank answers",
    Rule.DROP: "Left out for everybody: it does not count at all",
}
RESTS = {
    Rest.LEAVE: "Leave them as they are",
    Rest.ALL_RIGHT: "Right",
    Rest.DROP: "Left out",
}


class PreviewForm(forms.Form):
    """The answers to regrade, and how. Everything has a default, so a link may say less."""

    version = forms.TypedChoiceField(label="Answers marked by", coerce=int)
    rule = forms.ChoiceField(label="How they count", choices=list(RULES.items()))
    nobody_loses = forms.BooleanField(
        label="Nobody loses: learners who would lose points keep the better mark",
        required=False,
    )
    rest = forms.ChoiceField(
        label="Answers that cannot be compared", choices=list(RESTS.items()), required=False
    )
    same_prompt = forms.BooleanField(
        label="Both texts ask the same thing: compare their answers", required=False
    )

    def __init__(
        self, data: Mapping[str, str], *, versions: Sequence[QuestionVersion], current: int
    ) -> None:
        older = [version for version in versions if version.number != current]
        self.is_sent = bool(data.get("version"))
        first = str(older[0].number if older else current)
        rule = Rule.NEW_KEY if older else Rule.DROP
        super().__init__(
            {"version": first, "rule": rule.value, "rest": Rest.LEAVE.value} | dict(data)
        )
        self.current = current
        self.is_typed = any(
            version.number == current and version.kind in TYPED for version in versions
        )
        choices = [(version.number, f"Version {version.number}") for version in versions]
        if not any(version.is_generated for version in versions):
            del self.fields["same_prompt"]
        field = self.fields["version"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = choices

    def clean(self) -> None:
        sent = self.cleaned_data
        rules = {Rule.ACCEPT_BOTH} if self.is_typed else BY_VERSION
        by_itself = sent.get("version") == self.current and sent.get("rule") in rules
        if by_itself:
            words = f"Version {self.current} is current: its answers are already marked that way."
            raise ValidationError(f"{words} Choose an older version, or another rule.")

    def clean_rest(self) -> str:
        return str(self.cleaned_data["rest"] or Rest.LEAVE)


class NoteForm(forms.Form):
    """A note that students read."""

    note = forms.CharField(
        label="Note",
        help_text="Every learner whose result changes will see it. Markdown; optional.",
        max_length=MAX_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def clean_note(self) -> str:
        note = str(self.cleaned_data["note"])
        if fault := describe_refused(note):
            raise ValidationError(f"The note {fault}.")
        if faults := faults_for_form(note):
            raise ValidationError(faults)
        return note


class CodeForm(NoteForm):
    """The choices with which copies of code are applied."""

    nobody_loses = forms.BooleanField(required=False)


class DeedForm(NoteForm):
    """The plan that a preview showed, to be applied."""

    as_of = forms.CharField(max_length=40)
    digest = forms.CharField(max_length=64)

    def clean_as_of(self) -> datetime:
        text = self.cleaned_data["as_of"]
        try:
            at = parse_datetime(text)
        except ValueError:
            at = None
        if at is None or timezone.is_naive(at) or at > timezone.now():
            raise ValidationError(f"{text!r} is not a valid preview time: open the preview again.")
        return at
