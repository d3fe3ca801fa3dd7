"""Every sentence of a report, in the student's words: a function of what was found.

The checks say what is wrong in numbers, shapes and names; this module and the three named below say
it in English, and no other module of the judge does (a test looks for sentences elsewhere). It
depends on nothing that decides a verdict, so a word can be changed without reading how the verdict
is made. Everything of the student's that is quoted (names, types, texts of errors) is cleaned here.

In this order: words for things, what is kept between calls, a run that broke off, code that raised,
accidents, one case, gradients, time, layouts, rows of a bias, and what stands around a sentence.
`property_messages` has the lines of the property card, `headlines` the line above a report, and
`relations.words` what a wrong result is next to the expected one. A finding begins with a small
letter and has no full stop, since it is quoted in other sentences too; `sentence` makes one of it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizzes.grader.judge.comparison import Difference, Tolerance
from quizzes.grader.judge.report import EQUAL_RATIO
from quizzes.grader.protocol.job import Death, Ending, Limits
from quizzes.grader.protocol.observation import Failure, Leaf, Observation, results_of
from quizzes.grader.protocol.sanitize import clean, clean_line
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import Array

MAX_MESSAGE = 1_000
MAX_NAME = 100  # of a character
MOST_NAMED = 4  # of several parts
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_LIBRARIES = "NumPy, PyTorch and the standard library"


# ---- words for things: names, dtypes, numbers, results


def subject(key: str) -> str:
    """Name a result: `the result`, or `part 1 of the result` for the second of several."""
    name = clean_line(key.removeprefix("out").removeprefix("."), 40)
    return f"part {name} of the result" if name else "the result"


def index(place: tuple[int, ...]) -> str:
    """Write a place as `[3, 1]`."""
    return "[" + ", ".join(map(str, place)) + "]"


def plain_dtype(dtype: str) -> str:
    """Name a dtype; of text only that it is text."""
    return "text" if dtype.startswith(("str", "bytes")) else clean_line(dtype, 40) or "unknown"


def describe_leaf(leaf: Leaf) -> str:
    """Describe one result: `an array of shape (3, 4)`, `a list of 3`, `a str`."""
    if leaf.kind in ("array", "tensor"):
        return f"{'an array' if leaf.kind == 'array' else 'a tensor'} of shape {leaf.shape}"
    if leaf.kind == "number":
        return f"a single number ({clean_line(leaf.type, 40)})"
    if leaf.kind == "none":
        return "None"
    items = f" of {leaf.length}" if leaf.length is not None and leaf.kind != "text" else ""
    return f"{with_article(leaf.type)}{items}"


def with_article(name: str, most: int = 40) -> str:
    """Write the name of a type with its article: `a list`, `an IndexError`."""
    cleaned = clean_line(name, most)
    return f"{'an' if cleaned[:1].lower() in tuple('aeiou') else 'a'} {cleaned}"


def describe_result(observation: Observation) -> str:
    """Describe the whole result in a few words."""
    return describe_leaves(results_of(observation))


def describe_leaves(leaves: Mapping[str, Leaf]) -> str:
    """Describe some leaves: `a tuple or list of 2 (...)`, `a dict with cos, sin (...)`."""
    if not leaves:
        return "nothing to compare"
    if list(leaves) == ["out"]:
        return describe_leaf(leaves["out"])
    parts = [describe_leaf(leaf) for leaf in list(leaves.values())[:MOST_NAMED]]
    more = ", ..." if len(leaves) > len(parts) else ""
    return f"{holder(leaves)} ({', '.join(parts)}{more})"


def holder(leaves: Mapping[str, Leaf]) -> str:
    """Name what holds several leaves: a sequence by their number, a dict by their names."""
    names = list(dict.fromkeys(key.removeprefix("out.").partition(".")[0] for key in leaves))
    if names == [str(place) for place in range(len(names))]:
        return f"a tuple or list of {len(names)}"
    more = ", ..." if len(names) > MOST_NAMED else ""
    return f"a dict with {', '.join(clean_line(name, 40) for name in names[:MOST_NAMED])}{more}"


def plain_name(name: str) -> str:
    """Make an argument's name harmless."""
    return clean_line(name, 40)


def duration(seconds: float) -> str:
    """Write a time with two or three digits and its unit: 0.0123 is "12.3 ms"."""
    size, unit = next((pair for pair in _UNITS if seconds >= pair[0]), _UNITS[-1])
    value = seconds / size
    return f"{value:.3g}\u202f{unit}" if value < 100 else f"{value:.0f}\u202f{unit}"


def times(ratio: float) -> str:
    """Write a ratio of times as a whole number, with the two digits that are certain."""
    return f"{float(f'{ratio:.2g}'):.0f}"


def digits_to_show(max_error: float) -> int:
    """Count the digits after the point that make an error of this size visible."""
    if not 0 < max_error < 1e-3:
        return 4
    return min(12, int(np.ceil(-np.log10(max_error))) + 1)


def number_text(value: object, digits: int) -> str:
    """Write one number for people; whole numbers without a point."""
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        return str(array.item())
    number = array.item()  # float16 cannot even be compared with 1e6
    parts = (number.real, number.imag) if array.dtype.kind == "c" else (number,)
    return f"{number:.{digits}{'f' if all(abs(part) < 1e6 for part in parts) else 'e'}}"


def count(number: float | None) -> str:
    """Write a whole number, 0 where nothing was measured."""
    return str(int(number or 0))


# ---- code that keeps something between calls


KEEPS_BETWEEN_CALLS = (
    "Your code stores something in one call and reuses it in a later call, where it no longer "
    "applies. This call gives the right result when it is made on its own. Store each result "
    "under all the arguments that it depends on, or compute it again."
)
SAME_WHATEVER_WAS_CALLED = "The same call gives the same result, no matter what was called before."
OVERWRITES_A_RESULT = (
    "Your code returns the same array each time and writes into it, so a later call changed this "
    "result. Each call should return a new array."
)
RESULTS_STAY = "A result stays the same, no matter what is called later."


KEPT_RESULT = "result"  # what a result is called that is looked at once more


def calls_that_overwrite(call: str, later: str) -> str:
    """Write a call whose result is kept, and the later call that changed this result."""
    return f"{KEPT_RESULT} = {call}\n{later}"


def call_before_refilling(call: str) -> str:
    """Write the call before, and what was done to the module then."""
    return f"{call}\n# then its learned numbers were changed, as in training"


def call_just_before(call: str) -> str:
    """Write the call before, where nothing says that it is the one to blame."""
    return f"{call}\n# the call just before; an earlier one may be to blame"


def right_alone(message: str, *, refilled: bool) -> str:
    """Say of a wrong result that the same call is right in a process of its own."""
    after = "once its learned numbers have changed" if refilled else "after other calls"
    return f"this call is right on its own, but not {after}: {message}"


def only_after_others(stage_words: str) -> str:
    """Say of a fault that the same calls, in a process of their own, do not show."""
    return (
        f"{stage_words}, but not when this is the only call; "
        "the hidden calls before it are not shown"
    )


def changed_later(message: str) -> str:
    """Say of a result that was right when it was returned, and wrong after another call."""
    return f"a later call changed this result: {message}"


def other_each_time(message: str) -> str:
    """Say of a wrong result that a second run of the same call gave another one."""
    return f"your code gives different numbers each time: {message}"


# ---- a run that broke off or reached a limit

FORGED = "your code wrote to file descriptor 3, which carries its results; leave it alone"
BROKE_OFF = "your code ended unexpectedly"
TOO_NESTED = "Python could not read your code: its brackets or operators are nested too deeply"
NOT_REACHED = "Not reached: the code stopped earlier."


def broke_off(death: Death | None) -> str:
    """Say how the code ended before it was done; without a death, only that it did."""
    if death is None:
        return BROKE_OFF
    if death.exit_code is not None:
        return f"{BROKE_OFF}: it ended the interpreter with exit code {death.exit_code}"
    if death.exited:
        return f"{BROKE_OFF}: it ended the interpreter"
    if death.signal:
        return f"{BROKE_OFF}: the interpreter crashed ({death.signal})"
    return f"{BROKE_OFF}: it closed its result channel"


def out_of_time(
    seconds: float, limits: Limits, line: int | None = None, *, among_cases: bool = True
) -> str:
    """Say how long the code ran, how long it may, and the line that was running.

    Among the cases the limit is for all of them together, which else nobody would guess.
    """
    what = "all cases together" if among_cases else "your code"
    ran, limit = f"{seconds:.1f}", f"{limits.wall_seconds:g}"
    ran = ran if float(ran) >= limits.wall_seconds else limit
    return f"{what} ran for {ran} s; the limit is {limit} s" + (
        f". It was in line {line}" if line else ""
    )


def limit_message(limit: str, limits: Limits) -> str:
    """Say which limit other than time was reached, and how large it is."""
    memory = f"{limits.memory_mb} MB"
    return {
        Ending.MEMORY_LIMIT: f"your code needs more memory than the {memory} available",
        Ending.OUTPUT_LIMIT: "your code printed more than 1 MB",
        Ending.RESULT_LIMIT: "your code returned more than 32 MB",
    }[Ending(limit)]


# ---- code that raised, or defines another name


def describe_failure(failure: Failure, name: str, call: str) -> str:
    """Say what an exception means for the student, without its traceback."""
    message, kind = clean_line(failure.message), clean_line(failure.type, 80)
    if failure.stage is Stage.SIGNATURE:
        signature, _, reason = failure.message.partition("\n")
        signature = clean_line(signature, 120)
        refused = f"your {name}{signature} cannot be called as {call}"
        return f"{refused}: {clean_line(reason)}" if reason else refused
    if failure.stage is Stage.NAME:
        return _describe_name(failure, name)
    if failure.stage is Stage.STRUCTURE:
        return (
            f"your {name}(...) makes a {message}, expected a torch.nn.Module: write "
            f"`class {name}(nn.Module)`"
        )
    if failure.exit:
        return "your code ends the program (exit() or sys.exit()); let it return instead"
    if kind in ("ModuleNotFoundError", "ImportError"):
        return _describe_import(message)
    line = f" in line {failure.line}" if failure.line else ""
    raised = f"your code raised {kind}{line}"
    return f"{raised}: {message}" if message else raised


def _describe_name(failure: Failure, name: str) -> str:
    if failure.type not in ("", "NoneType"):
        kind = clean_line(failure.type, 40)
        return f"your `{name}` is of type {kind}; define it as a function"
    others = ", ".join(clean_line(other, 40) for other in failure.defined)
    return f"your code does not define `{name}`" + (f"; it defines {others}" if others else "")


def with_hint(message: str, hint: str) -> str:
    """Put what helps behind a finding; both as they are where there is nothing to add."""
    end = "" if message.endswith((".", "?", "!")) else "."
    return f"{message}{end} {hint}" if hint else message


def _describe_import(message: str) -> str:
    if "'torch'" in message:
        return f"{message}: PyTorch is not installed on the grading machine; use NumPy"
    return f"{message}; only {_LIBRARIES} can be imported here"


# ---- accidents: what helps, a table in docs/verdicts.md

HINT_INPUT = "Nobody can type here: remove input() and use the function's arguments instead."
HINT_PASTED = (
    "This line is not Python: paste only the code, without the text and the ``` lines around it."
)
HINT_CONSOLE = (
    "This line comes from a console or a notebook: remove >>> and lines that begin with % or !."
)
HINT_ARRAYS = (
    "The arguments here are NumPy arrays, which torch functions and methods do not accept: use "
    "NumPy, or call torch.as_tensor(x) first."
)
HINT_TENSORS = (
    "The arguments here are PyTorch tensors: use PyTorch functions and methods, not NumPy ones."
)
HINT_NO_FILES = "Your files are not available here: put what you need into your code."
HINT_PYTHON_2 = "This is Python 2 code, but Python 3 runs here: write range(...) and print(...)."
HINT_NO_CARD = "There is no GPU on the grading machine: remove .cuda()."
HINT_OUT_OF_REACH = "Files, the network, processes and threads are not available during grading."
HINT_NOTEBOOK = "This is a notebook file: submit only the code in its cells."
HINT_DEVICE = 'There is no GPU on the grading machine: write device = "cpu" instead.'
HINT_TRUTH = (
    "An array with several numbers is neither true nor false: write is not None, .any() or .all()."
)
HINT_SUPER = "Call super().__init__() at the beginning of your __init__, before you set attributes."
HINT_KEYWORDS = (
    "Arguments come by name here: let your decorator's inner function take **kwargs and pass them "
    "on."
)
HINT_LATER = (
    "With yield or async def, a call only prepares the work: write a plain def that returns the "
    "result."
)
HINT_TABS = "Some lines are indented with tabs and others with spaces: use only spaces."


def hint_character(line: int, column: int, name: str, reading: str | None) -> str:
    """Name a character that Python does not accept in code, its place and what to write."""
    cure = "Python does not accept it in code" if reading is None else _cure(reading)
    return f"Line {line}, column {column} has {with_article(name, MAX_NAME)}: {cure}."


def _cure(reading: str) -> str:
    if not reading:
        return "remove it"
    words = {" ": "a plain space", "  ": "plain spaces", "\n": "a new line"}
    return f"write {words.get(reading, f'`{reading}`')} instead"


def hint_infinity(line: int) -> str:
    """Say which line may multiply 0 by infinity."""
    return (
        f"Line {line} multiplies by infinity, and 0 times infinity is NaN: choose with where(...) "
        "instead."
    )


def hint_recursion(line: int, name: str, other: str) -> str:
    """Say which function calls itself in which line, by way of another one if that is named."""
    itself = f"{clean_line(other, 40)}, which calls it again" if other else "itself again and again"
    return (
        f"On line {line}, {clean_line(name, 40)} calls {itself}: add a case that returns before "
        "this call, or use a loop."
    )


def hint_misspelt(name: str) -> str:
    """Name what may be meant."""
    return f"Did you mean {clean_line(name, 40)}?"


# ---- the result of one case

RETURNED_NONE = "your code returned None: is a `return` missing?"
RANDOM = "two calls with the same input gave different results, so there is nothing to compare"
OTHER_NUMBERS = "the property holds, but for numbers other than those expected here"
AFTER_HALF = "after .half()"
IN_EVAL_MODE = "in eval mode"
CANNOT_BE_LOOKED_AT = "your code's result cannot be examined"
RETURNS_A_RESULT = "returns a result"


def in_mode(mode: str, message: str) -> str:
    """Say in which mode of a module a result is wrong."""
    return f"{mode}: {message}"


def must_raise(got: Observation) -> str:
    """Say what was returned where an error is asked for."""
    return f"your code returned {describe_result(got)}; here it must raise an error"


def other_parts(expected: str, got: str) -> str:
    """Say that there are other parts than expected, both in words."""
    return f"your code returned {got}, expected {expected}"


def no_array(key: str, got: Leaf) -> str:
    """Say what was returned instead of an array, such as a list."""
    return f"{subject(key)} is {describe_leaf(got)}, expected an array"


def other_shape(key: str, expected: Leaf, got: Leaf) -> str:
    """Say which shape it is, and which is expected."""
    return f"{subject(key)} has shape {got.shape}, expected {expected.shape}"


def other_dtype(key: str, expected: str, got: str) -> str:
    """Say which dtype it is, and which are accepted."""
    return f"{subject(key)} has dtype {got}, expected {expected}"


def not_compared(got: Leaf) -> str:
    """Say that the numbers could not travel out of the sandbox."""
    if got.kind == "number":
        return "your code returned a number that is too large to be compared"
    return "your code returned more numbers than can be compared"


def describe_difference(key: str, expected: Array, got: Array, difference: Difference) -> str:
    """Say how many numbers differ, how large the largest error is, and where."""
    where = f" at {index(difference.worst)}" if difference.worst else ""
    digits = digits_to_show(difference.max_error)
    numbers = (
        f"expected {number_text(expected[difference.worst], digits)}, "
        f"got {number_text(got[difference.worst], digits)}"
    )
    start = "" if key == "out" else f"in {subject(key)} "
    verb = "differs" if difference.failing == 1 else "differ"
    count = f"{difference.failing} of {difference.total} numbers {verb}"
    return f"{start}{count}; the largest error is {difference.max_error:.3g}{where}: {numbers}"


def describe_not_finite(key: str, got: Array, difference: Difference) -> str:
    """Say where the first NaN or infinity is, and how many there are."""
    where = f" at {index(difference.worst)}" if difference.worst else ""
    message = f"{subject(key)} has {got[difference.worst]}{where}, expected a finite number"
    if difference.total == 1:
        return message
    return f"{message}; {difference.failing} of {difference.total} numbers are NaN or infinite"


def changed_argument(name: str) -> str:
    """Say that an argument is not as it was before the call."""
    return f"your code changed its argument {name}: work on a copy"


def argument_sides(name: str) -> tuple[str, str]:
    """Set what is expected of an argument beside what became of it."""
    return f"{name} unchanged", f"{name} changed"


def dtype_sides(expected: str, got: str) -> tuple[str, str]:
    """Set the dtype that is expected beside the one that it is."""
    return f"dtype {expected}", f"dtype {got}"


def raised(failure: Failure) -> str:
    """Write an error where a result would stand; not cleaned yet."""
    reason = failure.message.splitlines()[-1:] or [""]
    return f"raises {failure.type or 'an error'}: {reason[0]}".removesuffix(": ")


def of_differing(shown: int, failing: int) -> str:
    """Write the line above the cells that differ, or above the worst of them."""
    if failing <= shown:
        return "where numbers differ:"
    return f"the {shown} worst of {failing} numbers that differ:"


def of_not_finite(shown: int, failing: int) -> str:
    """Write the line above the cells that are not finite, or above the first of them."""
    if failing <= shown:
        return "where numbers are NaN or infinite:"
    return f"the first {shown} of {failing} numbers that are NaN or infinite:"


# ---- gradients

TRAINED = "the trained parameters"


def no_gradient(name: str) -> str:
    """Say that there is no gradient; `name` is an argument's, or `parameters`."""
    return f"there is no gradient of {differentiated(name)} to check"


def gradient_of_other_shape(name: str, expected: Leaf, got: Leaf) -> str:
    """Say which shape the gradient has, and which is expected."""
    what = differentiated(name)
    return f"the gradient of {what} has shape {got.shape}, expected {expected.shape}"


def gradient_not_compared(name: str) -> str:
    """Say that the gradient's numbers could not travel out of the sandbox."""
    return f"the gradient of {differentiated(name)} cannot be compared"


def gradient_of_other_dtype(name: str, expected: Leaf, got: Leaf) -> str:
    """Say which dtype the gradient has, and which is expected."""
    dtypes = f"{plain_dtype(got.dtype)}, expected {plain_dtype(expected.dtype)}"
    return f"the gradient of {differentiated(name)} has dtype {dtypes}"


def gradient_differs(name: str, expected: Array, got: Array, difference: Difference) -> str:
    """Say where the gradient is wrong."""
    said = describe_difference("out", expected, got, difference)
    return f"the gradient of {differentiated(name)} differs: {said}"


def differentiated(name: str) -> str:
    return TRAINED if name == "parameters" else plain_name(name)


# ---- time

CHANCE_RATIO = 2.0  # below that, the machine's mood decides
SLOW_RATIO = 5.0  # above that, it is a loop rather than a detour
SLOW_SECONDS = 5e-4  # below that, nobody needs to care
WHOLE_ARRAYS = "If your code loops over elements in Python, work on whole arrays instead"


def too_slow(seconds: float, reference: float, allowed: float, at_most: float | None) -> str:
    """Say both times and what is allowed; `at_most` times the reference's, None: a fixed time."""
    taken, most, expected = map(duration, (seconds, allowed, reference))
    factor = "the" if at_most is None else f"{at_most:g} times the"
    return (
        f"your code takes {taken} for this call, and at most {most} is allowed ({factor} "
        f"reference's {expected}). {WHOLE_ARRAYS}: the reference is about "
        f"{times(seconds / reference)} times as fast"
    )


def time_sides(seconds: float, allowed: float) -> tuple[str, str]:
    """Set the time that is allowed beside the one that the call took."""
    return f"at most {duration(allowed)}", duration(seconds)


def beside_the_reference(seconds: float, ratio: float) -> str:
    """Put the time of a call next to the reference's, in words that agree with both numbers."""
    if 1 / EQUAL_RATIO < ratio < EQUAL_RATIO:
        return "About as fast as the reference."
    if ratio < SLOW_RATIO:
        if ratio < 1:
            said = f"Faster than the reference, which takes about {1 / ratio:.1f} times as long."
        else:
            said = f"It takes about {ratio:.1f} times as long as the reference."
        is_chance = 1 / CHANCE_RATIO < ratio < CHANCE_RATIO
        return f"{said} A difference this small can be chance." if is_chance else said
    if seconds < SLOW_SECONDS:
        return "Slower than the reference, but both take next to no time."
    share = f"about 1/{times(ratio)} of the time"
    return f"The reference needs {share}. {WHOLE_ARRAYS}."


# ---- layouts: what wrong numbers with right scores, or nearly, come from

ANOTHER_LAYOUT = (
    " The scores still depend on the distance alone, so this is a proper rotation, but in a "
    "different layout (pairing, order or direction) or with different angles from those that the "
    "task asks for."
)
MIXED_LAYOUTS = (
    " The scores do not depend on the distance alone, so this does not follow any "
    "convention. Often, two conventions are mixed, or the angles do not match the pairs."
)
IMPRECISE = (
    " The scores depend on the distance alone to within 1 %, and the numbers match just as "
    "closely: the layout is right, but precision is lost. Which dtypes do the positions, angles, "
    "cosines and sines have?"
)


def compared_with_convention(message: str) -> str:
    """Say that results were compared with those of the convention that the code follows."""
    return f"compared with the results of that convention: {message}"


# ---- biases that differ by one number per row

ROW_CONSTANT = (
    "Your bias differs from the expected bias by a constant in each row (query). You add the "
    "same number to all the scores in a row, which softmax ignores."
)
ROW_CONSTANT_BREAKS = (
    "A bias that follows the statement's formula, without a constant added to each row."
)


# ---- around a sentence

STILL_THE_STARTER = "this is still the starter code: replace its comments with your own code"


def as_starter(message: str) -> str:
    """Say of a finding that nothing has been written yet."""
    return f"{STILL_THE_STARTER}. {sentence(message)}"


def describe_tolerance(tolerance: Tolerance) -> str:
    """Say what error is allowed."""
    parts = []
    if tolerance.atol:
        parts.append(f"an absolute error of {tolerance.atol:g}")
    if tolerance.rtol:
        parts.append(f"a relative error of {tolerance.rtol:g}")
    if tolerance.relative_to_max:
        parts.append(f"{tolerance.relative_to_max:g} of the largest expected number")
    return "allowed: " + " plus ".join(parts) if parts else "allowed: no error at all"


def sentence(message: str) -> str:
    """Make a sentence of a finding: a capital letter unless it starts with code, one mark."""
    text = clean(message, MAX_MESSAGE)
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!", "…")) else ".")
