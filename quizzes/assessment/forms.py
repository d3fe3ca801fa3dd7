"""What comes in with an attempt's form: a choice for each response, by primary key.

Beside each choice the form says what was chosen when the page was made (`was-`). A choice that is
still the same brings nothing new: another tab may have changed it since, and that stands.
"""

from django import forms
from django.http import QueryDict

from quizzes.pages.fields import MAX_SLUG

PREFIX = "response-"
WAS = "was-"
MAX_KEY = 2**63 - 1


class BadChoicesError(Exception):
    """The form names something that is not a response or an option."""


def read_choices(data: QueryDict) -> dict[int, int]:
    """Return {response: option} of what was chosen in this page.

    Raises BadChoicesError naming the first field that is not a choice.
    """
    choices = {}
    for name in data:
        if name.startswith(PREFIX):
            number, value = name.removeprefix(PREFIX), str(data[name])
            response, option = _key(number), _key(value)
            if response is None or option is None:
                raise BadChoicesError(f"{name[:40]}={value[:40]}: must be the number of an option")
            if data.get(WAS + number) != value:
                choices[response] = option
    return choices


def _key(text: str) -> int | None:
    if not text.isascii() or not text.isdigit() or len(text) > 19 or int(text) > MAX_KEY:
        return None
    return int(text)


class InlineAnswerForm(forms.Form):
    """One option, and the step the question stands in."""

    option = forms.IntegerField(
        min_value=1,
        max_value=MAX_KEY,
        error_messages={"required": "Choose an option first."},
    )
    step = forms.RegexField(
        r"^[a-z0-9-]+/[a-z0-9-]+$", max_length=2 * MAX_SLUG + 1, error_messages={}
    )
