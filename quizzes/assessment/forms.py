"""What comes in with an attempt's form: an answer for each response, by primary key.

A choice is the number of an option (`response-7=12`); several stand under one name, or in one value
with commas, and an empty value says that the question was asked (`choices-9=`, `choices-9=3,4`). A
number or a text is what was typed (`number-8=2*pi`, `text-6=rope`). Beside each the form says what
was answered when the page was made (`was-7`). An answer that is still the same brings nothing new:
another tab may have changed it since, and that stands.
"""

from typing import Any

from django import forms
from django.http import QueryDict

from quizzes.assessment.services import Answer
from quizzes.assessment.single_question import SubmittedAnswer
from quizzes.content_files.fields import MAX_SLUG
from quizzes.content_files.typed_text import MAX_KEY, read_whole_number

PREFIX = "response-"
SEVERAL = "choices-"
NUMBER = "number-"
TEXT = "text-"
WAS = "was-"
MAX_CHOSEN = 100  # options that one answer may name; no question has so many
STEP = r"^[a-z0-9-]+/[a-z0-9-]+$"


class BadChoicesError(Exception):
    """The form names something that is not a response or an option."""


def read_choices(data: QueryDict) -> dict[int, Answer]:
    """Return {response: option or text} of what was answered in this page.

    Raises BadChoicesError naming the first field that is not an answer.
    """
    choices: dict[int, Answer] = {}
    for name in data:
        prefix, number = _parts(name)
        if not prefix:
            continue
        value = ",".join(map(str, data.getlist(name))) if prefix == SEVERAL else str(data[name])
        response, given = read_whole_number(number), _given(prefix, value)
        if response is None or given is None:
            raise BadChoicesError(f"{name[:40]}={value[:40]}: must be the number of an option")
        was = data.get(WAS + number)
        if was is None or was != _as_was(given):
            choices[response] = given
    return choices


def _parts(name: str) -> tuple[str, str]:
    """Return the prefix of an answer's field and the response's number; "" for other fields."""
    for prefix in (PREFIX, SEVERAL, NUMBER, TEXT):
        if name.startswith(prefix):
            return prefix, name.removeprefix(prefix)
    return "", ""


def _given(prefix: str, value: str) -> Answer | None:
    if prefix == PREFIX:
        return read_whole_number(value)
    if prefix == SEVERAL:
        keys = [read_whole_number(key) for key in value.split(",") if key][:MAX_CHOSEN]
        return None if None in keys else tuple(sorted({key for key in keys if key is not None}))
    return value


def _as_was(answer: Answer) -> str:
    return ",".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)


def _own_key() -> forms.IntegerField:
    return forms.IntegerField(min_value=1, max_value=MAX_KEY, required=False)


class _KeysField(forms.Field):
    """Primary keys of options; what is empty says only that the question was asked."""

    widget = forms.SelectMultiple

    def to_python(self, value: Any) -> tuple[int, ...] | None:
        if value is None or value == []:
            return None
        given = _given(SEVERAL, ",".join(map(str, value)))
        if given is None:
            raise forms.ValidationError("must be the numbers of options")
        assert isinstance(given, tuple)
        return given


class AnswerForm(forms.Form):
    """The answer to one question: an option, or several, a number or a text and what it answers."""

    option = _own_key()
    options = _KeysField(required=False)
    number = forms.CharField(required=False, max_length=2000, strip=False)
    text = forms.CharField(required=False, max_length=2000, strip=False)
    version = _own_key()
    instance = _own_key()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        is_named = cleaned.get("version") is not None
        if (cleaned.get("option") is None and not is_named) or cleaned.get("options") == ():
            raise forms.ValidationError("Choose an option first.")
        return cleaned

    def submitted_answer(self) -> SubmittedAnswer:
        """Return the answer; call it when the form is valid."""
        fields = self.cleaned_data
        value: Answer = str(fields["number"] or fields["text"])
        if fields["option"] is not None:
            value = int(fields["option"])
        elif fields["options"] is not None:
            value = tuple(fields["options"])
        return SubmittedAnswer(value, fields["version"], fields["instance"])


class InlineAnswerForm(AnswerForm):
    """An answer, and the step the question stands in."""

    step = forms.RegexField(STEP, max_length=2 * MAX_SLUG + 1, error_messages={})
