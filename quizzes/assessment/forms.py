"""What comes in with an attempt's form: an answer for each response, by primary key.

A choice is the number of an option (`response-7=12`), a number is text (`number-8=2*pi`). Beside
each the form says what was answered when the page was made (`was-7`). An answer that is still the
same brings nothing new: another tab may have changed it since, and that stands.
"""

from typing import Any

from django import forms
from django.http import QueryDict

from quizzes.assessment.services import Answer
from quizzes.assessment.single_question import SubmittedAnswer
from quizzes.content_files.fields import MAX_SLUG

PREFIX = "response-"
NUMBER = "number-"
WAS = "was-"
MAX_KEY = 2**63 - 1
STEP = r"^[a-z0-9-]+/[a-z0-9-]+$"


class BadChoicesError(Exception):
    """The form names something that is not a response or an option."""


def read_choices(data: QueryDict) -> dict[int, Answer]:
    """Return {response: option or text} of what was answered in this page.

    Raises BadChoicesError naming the first field that is not an answer.
    """
    choices: dict[int, Answer] = {}
    for name in data:
        prefix = next((one for one in (PREFIX, NUMBER) if name.startswith(one)), "")
        if prefix:
            number, value = name.removeprefix(prefix), str(data[name])
            response = _key(number)
            given = _key(value) if prefix == PREFIX else value
            if response is None or given is None:
                raise BadChoicesError(f"{name[:40]}={value[:40]}: must be the number of an option")
            if data.get(WAS + number) != value:
                choices[response] = given
    return choices


def _key(text: str) -> int | None:
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) > MAX_KEY:
        return None
    return int(text)


def _own_key() -> forms.IntegerField:
    return forms.IntegerField(min_value=1, max_value=MAX_KEY, required=False)


class AnswerForm(forms.Form):
    """The answer to one question: an option, or a number and what it answers."""

    option = _own_key()
    number = forms.CharField(required=False, max_length=2000, strip=False)
    version = _own_key()
    instance = _own_key()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("version") is None and cleaned.get("option") is None:
            raise forms.ValidationError("Choose an option first.")
        return cleaned

    def asked(self) -> SubmittedAnswer:
        """Return the answer; call it when the form is valid."""
        found = self.cleaned_data
        given: Answer = str(found["number"])
        if found["option"] is not None:
            given = int(found["option"])
        return SubmittedAnswer(given, found["version"], found["instance"])


class InlineAnswerForm(AnswerForm):
    """An answer, and the step the question stands in."""

    step = forms.RegexField(STEP, max_length=2 * MAX_SLUG + 1, error_messages={})
