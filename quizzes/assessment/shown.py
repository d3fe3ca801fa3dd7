"""What templates are given of a question: plain facts, all text rendered."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from quizzes.assessment.forms import WAS


@dataclass(frozen=True)
class OptionShown:
    """One option in its place. `picture` is the address of its picture, `alt` what it shows."""

    pk: int
    text: SafeString
    reason: SafeString
    is_key: bool
    chosen: bool
    picture: str = ""
    alt: str = ""

    @property
    def mark(self) -> str:
        """Return what a review writes beside the option; colour alone says nothing."""
        if self.chosen:
            return "Your answer, right" if self.is_key else "Your answer, not right"
        return "Right answer" if self.is_key else ""


@dataclass(frozen=True)
class NumberShown:
    """What is said of a number: `typed` as it was, `problem` when it is none, and the key."""

    typed: str
    problem: str
    unit: str
    key: str
    interval: str
    reason: SafeString
    right: bool | None  # None while it is not answered
    read_as: str = ""
    miss: SafeString | str = ""  # what is said to a number that a known mistake gives


@dataclass(frozen=True)
class QuestionShown:
    """One question in its place. `name` is that of its fields; `choice` the saved option.

    `number_answer` is None where options are chosen.
    """

    number: int
    name: str
    prompt: SafeString
    options: tuple[OptionShown, ...]
    step_url: str
    choice: int | None
    number_answer: NumberShown | None = None
    version: int = 0
    instance: int | None = None
    again: str = ""  # of a generated question: its slug, to be asked with other numbers

    @property
    def was_name(self) -> str:
        """Return the name of the field that says what was answered when the page was made."""
        return WAS + self.name.rpartition("-")[2]

    @property
    def was(self) -> str:
        """Return the saved answer as the form's field holds it."""
        if self.number_answer is not None:
            return self.number_answer.typed
        return "" if self.choice is None else str(self.choice)

    @property
    def has_pictures(self) -> bool:
        return any(option.picture for option in self.options)

    @property
    def answered(self) -> bool:
        if self.number_answer is not None:
            return self.number_answer.right is not None
        return any(option.chosen for option in self.options)

    @property
    def right(self) -> bool:
        if self.number_answer is not None:
            return bool(self.number_answer.right)
        return any(option.chosen and option.is_key for option in self.options)
