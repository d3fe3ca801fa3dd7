"""What the lab's page posts: a program, and the n and d that it is called with."""

from typing import Any

from django import forms

from quizzes.content_files.typed_text import clean_name, read_whole_number, without_invisible
from quizzes.exercises.models.shared_numbers import MAX_NAME

LOW, HIGH = 2, 256  # 256 × 256 numbers are 512 KB
FIRST_N, FIRST_D = 64, 32


MOST_SHOWN = 20  # characters of a wrong size that its error repeats


class SizeField(forms.CharField):
    """A number of positions, or of numbers for each, as plain digits."""

    def __init__(self, label: str) -> None:
        super().__init__(label=label, required=False)

    def clean(self, value: Any) -> int:
        """Return the number. Raises ValidationError, which names what was typed."""
        text = str(value or "").strip()
        number = read_whole_number(text, most=HIGH)
        if number is None or number < LOW:
            shown = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
            name = f"{self.label}={shown}" if shown else self.label
            words = f"{name}: must be a whole number between {LOW} and {HIGH}."
            raise forms.ValidationError(words)
        return number


class SizeForm(forms.Form):
    """n positions, and d numbers for each.

    `along`: which of the two the hand moves, and the other places of the run lie on.
    """

    n = SizeField("n")
    d = SizeField("d")
    along = forms.ChoiceField(
        choices=[("n", "n"), ("d", "d")],
        required=False,
        error_messages={"invalid_choice": "along=%(value)s: must be n or d."},
    )

    def clean_along(self) -> str:
        """Return the name of a size, n where none was sent."""
        return self.cleaned_data["along"] or "n"


class NameForm(forms.Form):
    """The name under which numbers are shared."""

    NO_NAME = "There is no name yet. Type one first."
    name = forms.CharField(
        label="Name",
        error_messages={
            "required": NO_NAME,
            "null_characters_not_allowed": "The name contains a NUL character. Remove it.",
        },
    )

    def clean_name(self) -> str:
        """Return the name as people's names are stored; refuse one of which nothing is seen.

        Its length is that of what is stored: composed, one character may be three.
        """
        name = clean_name(self.cleaned_data["name"])
        if not without_invisible(name).strip():
            raise forms.ValidationError(self.NO_NAME)
        if len(name) > MAX_NAME:
            words = f"The name has {len(name)} characters; the limit is {MAX_NAME}."
            raise forms.ValidationError(words)
        return name
