"""What a learner posts: code, and whether to check or to submit it."""

import re
from typing import Any

from django import forms

from quizzes.exercises.models import Submission
from quizzes.exercises.models.code_run import MAX_CALL
from quizzes.exercises.models.submission import MAX_BYTES, MAX_CHARACTERS
from quizzes.exercises.services import normalise_code

XRAY = "xray"  # what a form asks for; its row is a Run
_XRAY_OF_CASE = re.compile(r"xray-([0-9]{1,3})", re.ASCII)


class CodeField(forms.CharField):
    """Text with one newline per line, counted as it will be stored."""

    def to_python(self, value: Any) -> str:
        return normalise_code(str(super().to_python(value)))


class KindField(forms.ChoiceField):
    """The button that was pressed; that of an X-ray may name a shown case."""

    def valid_value(self, value: Any) -> bool:
        return bool(_XRAY_OF_CASE.fullmatch(value)) or super().valid_value(value)


class CodeForm(forms.Form):
    """`kind` is the button that was pressed; `key` tells a form sent twice from a new one.

    `call` is of Run and X-ray alone. Cleaned, an X-ray of a shown case instead (`xray-2`) has its
    number as `case`.
    """

    code = CodeField(
        label="Your code",
        max_length=MAX_CHARACTERS,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 18,
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
                "autocorrect": "off",
                "wrap": "off",
            }
        ),
        error_messages={
            "required": "There is no code here yet. Write some first.",
            "max_length": "Your code has %(show_value)d characters; the limit is %(limit_value)d.",
            "null_characters_not_allowed": "Your code contains a NUL character. Remove it.",
        },
    )
    kind = KindField(
        choices=[*Submission.Kind.choices, (XRAY, "X-ray")],
        error_messages={
            "required": "Choose Run, X-ray, Check or Submit.",
            "invalid_choice": "Choose Run, X-ray, Check or Submit.",
        },
    )
    call = forms.CharField(
        required=False,
        max_length=MAX_CALL,
        error_messages={
            "max_length": "The call has %(show_value)d characters; the limit is %(limit_value)d.",
            "null_characters_not_allowed": "The call contains a NUL character. Remove it.",
        },
    )
    key = forms.UUIDField(
        required=False,
        widget=forms.HiddenInput,
        error_messages={"invalid": "This form is no longer valid. Reload the page."},
    )

    def clean_code(self) -> str:
        """Return the code; refuse what is blank or too many bytes."""
        code: str = self.cleaned_data["code"]
        if not code.strip():
            raise forms.ValidationError(self.fields["code"].error_messages["required"])
        size = _bytes_of(code, "Your code")
        if size > MAX_BYTES:
            raise forms.ValidationError(f"Your code has {size} bytes; the limit is {MAX_BYTES}.")
        return code

    def clean_kind(self) -> str:
        """Return the button's word, and note the case that it names."""
        kind: str = self.cleaned_data["kind"]
        match = _XRAY_OF_CASE.fullmatch(kind)
        self.cleaned_data["case"] = int(match[1]) if match else None
        return XRAY if match else kind

    def clean_call(self) -> str:
        """Return the call; refuse what is no text."""
        call: str = self.cleaned_data["call"]
        _bytes_of(call, "The call")
        return call


class CallForm(forms.Form):
    """A call for which a wrong program may fail; `key` tells a form sent twice from a new one."""

    call = forms.CharField(
        max_length=MAX_CALL,
        error_messages={
            "required": "There is no call here yet. Type one first.",
            "max_length": "The call has %(show_value)d characters; the limit is %(limit_value)d.",
            "null_characters_not_allowed": "The call contains a NUL character. Remove it.",
        },
    )
    key = forms.UUIDField(required=False)

    def clean_call(self) -> str:
        """Return the call; refuse what is no text."""
        call: str = self.cleaned_data["call"]
        _bytes_of(call, "The call")
        return call


def _bytes_of(text: str, what: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise forms.ValidationError(
            f"{what} contains characters that are not valid text."
        ) from error


class DraftForm(forms.Form):
    """A text in work and the draft it follows; see `drafts.save_draft`."""

    code = CodeField(
        max_length=MAX_CHARACTERS,
        strip=False,
        required=False,
        error_messages={
            "max_length": "It has %(show_value)d characters; the limit is %(limit_value)d.",
            "null_characters_not_allowed": "It contains a NUL character. Remove it.",
        },
    )
    based_on = forms.UUIDField(required=False)
    instead_of = forms.UUIDField(required=False)
