"""What the lab's page posts: a program, and the n and d that it is called with."""

from django import forms

from quizzes.content_files.typed_text import clean_name, is_invisible
from quizzes.exercises.models.shared_numbers import MAX_NAME

LOW, HIGH = 2, 256  # 256 × 256 numbers are 512 KB
FIRST_N, FIRST_D = 64, 32


def _size(label: str) -> forms.IntegerField:
    expected = f"must be a whole number between {LOW} and {HIGH}."
    return forms.IntegerField(
        label=label,
        min_value=LOW,
        max_value=HIGH,
        error_messages={
            "required": f"{label}: {expected}",
            "invalid": f"{label}: {expected}",
            "min_value": f"{label}=%(show_value)s: {expected}",
            "max_value": f"{label}=%(show_value)s: {expected}",
        },
    )


class SizeForm(forms.Form):
    """n positions, and d numbers for each."""

    n = _size("n")
    d = _size("d")


class NameForm(forms.Form):
    """The name under which numbers are shared."""

    NO_NAME = "There is no name yet. Type one first."
    name = forms.CharField(
        label="Name",
        max_length=MAX_NAME,
        error_messages={
            "required": NO_NAME,
            "max_length": "The name has %(show_value)d characters; the limit is %(limit_value)d.",
            "null_characters_not_allowed": "The name contains a NUL character. Remove it.",
        },
    )

    def clean_name(self) -> str:
        """Return the name as people's names are stored; refuse one of which nothing is seen."""
        name = clean_name(self.cleaned_data["name"])
        if not name or all(map(is_invisible, name)):
            raise forms.ValidationError(self.NO_NAME)
        return name
