"""The sentences of a report, in the student's words. Everything of theirs is cleaned here."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quizzes.grader.cleaning import clean_line
from quizzes.grader.comparison import Difference
from quizzes.grader.job import Ending, Limits
from quizzes.grader.observation import Failure, Leaf, Observation
from quizzes.grader.report import Rung
from quizzes.grader.wire import Array

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
MOST_NAMED = 4  # of several parts
_LIBRARIES = "NumPy, PyTorch and the standard library"


def subject(key: str) -> str:
    """`the result` when it is the only one, `part 1 of the result` for the second of several."""
    name = clean_line(key.removeprefix("out").removeprefix("."), 40)
    return f"part {name} of the result" if name else "the result"


def index(place: tuple[int, ...]) -> str:
    """`[3, 1]`."""
    return "[" + ", ".join(map(str, place)) + "]"


def plain_dtype(dtype: str) -> str:
    """A dtype's name; of text only that it is text."""
    return "text" if dtype.startswith(("str", "bytes")) else clean_line(dtype, 40) or "unknown"


def describe_leaf(leaf: Leaf) -> str:
    """`an array of shape (3, 4)`, `a list of 3`, `a str`."""
    if leaf.kind in ("array", "tensor"):
        return f"{'an array' if leaf.kind == 'array' else 'a tensor'} of shape {leaf.shape}"
    if leaf.kind == "number":
        return f"a single number ({clean_line(leaf.type, 40)})"
    if leaf.kind == "none":
        return "None"
    name = clean_line(leaf.type, 40)
    article = "an" if name[:1].lower() in tuple("aeiou") else "a"
    items = f" of {leaf.length}" if leaf.length is not None and leaf.kind != "text" else ""
    return f"{article} {name}{items}"


def describe_result(observation: Observation) -> str:
    """The whole result in a few words."""
    leaves = observation.leaves.items()
    return describe_leaves({k: leaf for k, leaf in leaves if k == "out" or k.startswith("out.")})


def describe_leaves(leaves: Mapping[str, Leaf]) -> str:
    """Some leaves in a few words: `a tuple or list of 2 (...)`, `a dict with cos, sin (...)`."""
    if not leaves:
        return "nothing to compare"
    if list(leaves) == ["out"]:
        return describe_leaf(leaves["out"])
    parts = [describe_leaf(leaf) for leaf in list(leaves.values())[:MOST_NAMED]]
    more = ", ..." if len(leaves) > len(parts) else ""
    return f"{_holder(leaves)} ({', '.join(parts)}{more})"


def _holder(leaves: Mapping[str, Leaf]) -> str:
    """What holds several leaves: of a sequence their number is known, of a dict their names."""
    names = list(dict.fromkeys(key.removeprefix("out.").partition(".")[0] for key in leaves))
    if names == [str(place) for place in range(len(names))]:
        return f"a tuple or list of {len(names)}"
    more = ", ..." if len(names) > MOST_NAMED else ""
    return f"a dict with {', '.join(clean_line(name, 40) for name in names[:MOST_NAMED])}{more}"


def short(message: str) -> str:
    """A sentence for a narrow place."""
    return clean_line(message, 160)


def plain_name(name: str) -> str:
    """An argument's name, harmless."""
    return clean_line(name, 40)


def describe_difference(key: str, wanted: Array, given: Array, found: Difference) -> str:
    """Where the largest error is, how large, and how many numbers differ."""
    where = f" at {index(found.worst)}" if found.worst else ""
    digits = digits_to_show(found.max_error)
    numbers = (
        f"expected {number_text(wanted[found.worst], digits)}, "
        f"got {number_text(given[found.worst], digits)}"
    )
    start = "" if key == "out" else f"in {subject(key)} "
    count = f"{found.failing} of {found.total} numbers differ"
    return f"{start}{count}; the largest error is {found.max_error:.3g}{where}: {numbers}"


def describe_not_finite(key: str, given: Array, found: Difference) -> str:
    """Where the first NaN or infinity is, and how many there are."""
    where = f" at {index(found.worst)}" if found.worst else ""
    message = f"{subject(key)} has {given[found.worst]}{where}, expected a finite number"
    if found.total == 1:
        return message
    return f"{message}; {found.failing} of {found.total} numbers are NaN or infinite"


def describe_failure(failure: Failure, name: str, call: str) -> str:
    """What an exception means for the student, without its traceback."""
    message, kind = clean_line(failure.message), clean_line(failure.type, 80)
    if failure.rung is Rung.SIGNATURE:
        signature, _, reason = failure.message.partition("\n")
        signature = clean_line(signature, 120)
        return f"your {name}{signature} cannot be called as {call}: {clean_line(reason)}"
    if failure.rung is Rung.NAME:
        return _describe_name(failure, name)
    if failure.rung is Rung.STRUCTURE:
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
    return (f"{raised}: {message}" if message else raised) + _hint(kind, message)


def _hint(kind: str, message: str) -> str:
    """What an error means that comes from where the code runs."""
    if "CUDA" in message:
        return ". There is no graphics card where this site grades: leave .cuda() out"
    if kind == "PermissionError" or "can't start new thread" in message:
        return ". Files, network, processes and threads are out of reach where this site grades"
    return ""


def _describe_import(message: str) -> str:
    if "'torch'" in message:
        return f"{message}: PyTorch is not installed where this site grades; use NumPy"
    return f"{message}; only {_LIBRARIES} can be imported here"


def limit_message(limit: str, limits: Limits, line: int | None = None) -> str:
    """Which limit, how large it is, and the line that was running."""
    where = f" (it was in line {line})" if line else ""
    memory = f"{limits.memory_mb} MB"
    return {
        Ending.TIME_LIMIT: f"your code was still running after {limits.wall_seconds:g} s{where}",
        Ending.MEMORY_LIMIT: f"your code needs more memory than the {memory} there are",
        Ending.OUTPUT_LIMIT: "your code printed more than 1 MB",
        Ending.RESULT_LIMIT: "your code returned more than 32 MB",
    }[Ending(limit)]


def duration(seconds: float) -> str:
    """A time with two or three digits and the unit that suits it: 0.0123 is "12.3 ms"."""
    size, unit = next((pair for pair in _UNITS if seconds >= pair[0]), _UNITS[-1])
    value = seconds / size
    return f"{value:.3g}\u202f{unit}" if value < 100 else f"{value:.0f}\u202f{unit}"


def times(ratio: float) -> str:
    """A ratio of times as a whole number, with the two digits that can be told."""
    return f"{float(f'{ratio:.2g}'):.0f}"


def digits_to_show(max_error: float) -> int:
    """Enough digits after the point that an error of this size is visible."""
    if not 0 < max_error < 1e-3:
        return 4
    return min(12, int(np.ceil(-np.log10(max_error))) + 1)


def number_text(value: object, digits: int) -> str:
    """One number for people; whole numbers without a point."""
    array = np.asarray(value)
    if array.dtype.kind in "biu":
        return str(array.item())
    number = array.item()  # float16 cannot even be compared with 1e6
    parts = (number.real, number.imag) if array.dtype.kind == "c" else (number,)
    return f"{number:.{digits}{'f' if all(abs(part) < 1e6 for part in parts) else 'e'}}"


def _describe_name(failure: Failure, name: str) -> str:
    if failure.type not in ("", "NoneType"):
        kind = clean_line(failure.type, 40)
        return f"your `{name}` is of type {kind}; define it as a function"
    others = ", ".join(clean_line(other, 40) for other in failure.defined)
    return f"your code does not define `{name}`" + (f"; it defines {others}" if others else "")
