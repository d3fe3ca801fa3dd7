"""Sentences about a program that ran, which no verdict has: the others are the judge's."""

from __future__ import annotations

NOT_SHOWN = "Its numbers are not shown: they must be of a NumPy number type and at most 8 MB."


def call_refused(reason: str) -> str:
    """Say that the call is not Python; begins with a small letter, as a finding does."""
    return f"the call is not Python: {reason}"


def not_finite(nan: int, infinite: int, total: int) -> str:
    """Count what is no finite number."""
    parts = [f"{nan} NaN"] if nan else []
    parts += [f"{infinite} infinite"] if infinite else []
    verb = "is" if nan + infinite == 1 else "are"
    return f"{nan + infinite} of {total} numbers {verb} not finite: {' and '.join(parts)}."


def between(least: str, most: str) -> str:
    """Say between which two all numbers lie."""
    return f"All numbers lie between {least} and {most}."


def first_part(shape: tuple[int, ...]) -> str:
    """Say that of an array with many axes only a part is printed."""
    return f"Only the first part is printed, of shape {shape}."


XRAY_TOO_DEEP = (
    "Your code is nested too deeply for an X-ray. Split its longest expression into several lines."
)
XRAY_OF_NOTHING = "None of your code's expressions ran, so there is nothing to show."


def xray_takes_long(seconds: float, line: int | None) -> str:
    """Say that code did not end while it was looked into, and where it was."""
    where = f" in line {line}" if line else ""
    return (
        f"The X-ray was stopped after {seconds:g} s{where}, before your code ended. Look for a loop"
        " that never ends, or choose a smaller call."
    )


def first_difference(text: str, line: int, part: str, part_line: int, *, in_turn: bool) -> str:
    """Say where the values of a program leave those of right solutions, and what was compared.

    `in_turn`: several values, as in a loop, whose numbers are compared together.
    """
    where = f" in line {line}" if line != part_line else ""
    if in_turn:
        return (
            f"The numbers of `{part}` in line {part_line} also occur in a right solution. "
            f"No right solution that we know has all of those of `{text}`{where}. Look there first."
        )
    return (
        f"The value of `{part}` in line {part_line} also occurs in a right solution. "
        f"The value of `{text}`{where} occurs in none that we know. Look there first."
    )


# ---- a call that is typed to tell two programs apart

CALL_FORGED = "The call wrote to file descriptor 3, which carries its arguments. Leave it alone."
RETURNS_NAN = "The right program returns NaN here. Find arguments for which it returns numbers."
NOT_COMPARED = "The results have numbers that cannot be compared. Choose other arguments."


def call_raised(kind: str, message: str) -> str:
    """Say that evaluating the typed call raised an error."""
    return f"The call raised {kind}: {message}" if message else f"The call raised {kind}."


def not_a_call(name: str, *, is_module: bool) -> str:
    """Say what should be typed instead."""
    example = f"{name}(...)(...)" if is_module else f"{name}(...)"
    return f"Type exactly one call, in the form `{example}`."


def call_takes_long(seconds: float) -> str:
    """Say that the typed call itself did not end."""
    return f"The call was stopped after {seconds:g} s. Type smaller arguments."


def call_needs_much() -> str:
    """Say that the typed call reached a limit, or ended its process."""
    return "The call needs too much memory, prints too much or ends the program. Type another call."


def not_an_argument(name: str, what: str) -> str:
    """Say that an argument is neither a number nor an array."""
    return f"The argument {name} is {what}; expected a number, text or an array."


def no_usable_numbers(name: str) -> str:
    """Say that the numbers of an argument cannot be passed on."""
    return f"The numbers of the argument {name} are too large, too many or of an unusual type."


def has_nan(name: str) -> str:
    """Say that an argument has NaN in it."""
    return f"The argument {name} contains NaN. Use numbers."


def too_many_numbers(most: int) -> str:
    """Say how many numbers a call may have."""
    return f"The arrays have more than {most} numbers together. Find a smaller example."


def text_too_long(most: int) -> str:
    """Say how long a text may be."""
    return f"An argument has more than {most} characters. Type a shorter text."


def outside_the_task(kind: str, message: str) -> str:
    """Say that the right program raises for these arguments, so they are outside of the task."""
    said = f"{kind}: {message}" if message else kind
    return f"The right program raises {said}. Find arguments for which it returns a result."


def no_such_call(message: str) -> str:
    """Say what the right program says of arguments that the task does not allow."""
    return f"The task has no such call: {message}. Choose other arguments."


def needs_much(seconds: float) -> str:
    """Say that one of the two programs reached a limit."""
    return (
        f"A program needs more than {seconds:g} s or too much memory here. Type smaller arguments."
    )


def together_need_much(seconds: float) -> str:
    """Say that all programs of a try used up the time that they have together."""
    return f"The programs together need more than {seconds:g} s here. Type smaller arguments."


# ---- a batch of calls whose results are drawn

NO_ROOM = "there is no room for this place: all arrays together may have 1 MB"


def not_numbers(what: str, dtype: str) -> str:
    """Say that what is in an array cannot be drawn: `dtype` is its own name for that."""
    of = f" and type {dtype}" if dtype else ""
    return f"your code returned {what}{of}; its numbers must be real, of a NumPy type, at most 1 MB"


def other_shape(shape: tuple[int, ...], expected: tuple[int, int]) -> str:
    """Say that an array has another shape than the figure at its place."""
    drawn = expected if expected[0] > 1 else expected[1:]
    return f"your numbers have the shape {shape}; the figure draws {drawn}"


def several_results(what: str) -> str:
    """Say that a call gave several things, where an array is drawn."""
    return f"your code returned {what}; the figure needs one array"


def not_drawn(what: str) -> str:
    """Say that a result is no array with one or two axes."""
    return f"your code returned {what}; the figure needs an array with one or two axes"
