"""The fields of what generate.py returned: each is what it must be, or refused by its name.

All raise ValueError, in words for the author.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quizzes.content_files.characters import describe_refused
from quizzes.pages.markdown import markdown_faults


def prose_of(plain: Mapping[str, Any], name: str, longest: int) -> str:
    """Return Markdown of at most `longest` characters, without space around it."""
    text = plain.get(name)
    if not isinstance(text, str) or not 1 <= len(text.strip()) <= longest:
        raise ValueError(f"{name}: expected text of 1 to {longest} characters")
    faults: Sequence[Any] = list(markdown_faults(text, path=name))
    if faults:
        raise ValueError(f"{name}: {faults[0].message}")
    return text.strip()


def number_of(plain: Mapping[str, Any], name: str) -> float:
    """Return a finite number."""
    value = plain.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name}: {value!r}: expected a finite number")
    if not abs(value) <= sys.float_info.max:  # no NaN, and no int that is too large either
        raise ValueError(f"{name}: {value!r}: expected a finite number")
    return float(value)


def mistake_of(plain: Mapping[str, Any]) -> str:
    """Return which known mistake gives this answer, "" where none does."""
    name = plain.get("mistake", "")
    if name and (not isinstance(name, str) or name.count("/") != 1 or len(name) > 170):
        raise ValueError(f"mistake: {name!r}: expected <exercise>/<known mistake>")
    return str(name)


def refuse_unseen(plain: Any) -> None:
    """Refuse a character that no file of a course may hold, wherever it stands."""
    for one in leaves_of(plain):
        wrong = describe_refused(one) if isinstance(one, str) else ""
        if wrong:
            raise ValueError(f"{one[:40]!a}: {wrong}")


def refuse_unknown(plain: Mapping[str, Any], known: set[str], where: str) -> None:
    """Refuse a field that is not known."""
    unknown = sorted(set(plain) - known)
    if unknown:
        raise ValueError(
            f"{where}: unknown field {unknown[0]!r} (known: {', '.join(sorted(known))})"
        )


def leaves_of(plain: Any) -> Iterator[Any]:
    """Yield every value and every name in plain values, however deep."""
    waiting = [plain]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
        else:
            yield one
