"""What generate.py returned, checked: one key, distractors that can be told apart, reasons.

    {"prompt": md, "facts": {name: number or text}, "proof": what the key is by another way,
     "key": {"text", "reason", "value"?, "picture"?},
     "distractors": [the same, with "mistake"?], "apart"?: least difference of two values}

or, for `kind: numeric`, instead of key, distractors and apart the `answer` of question.yaml.
Each field is what it must be, or refused by its name: ValueError, in words for the author.
"""

import base64
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from posenc.figures.palettes import RDBU_R
from posenc.figures.png import palette_png

from quizzes.assessment.numeric_answer import MAX_UNIT, WITHIN
from quizzes.content_files.characters import describe_refused
from quizzes.pages.markdown import markdown_problems

MAX_SIDE = 64
MAX_PROMPT, MAX_TEXT, MAX_REASON = 4000, 400, 4000
MAX_CANDIDATES = 60
DISTRACTORS = 3
FEWEST_DISTRACTORS = 2
APART = 0.05  # of the key's size
SAME = 1e-6  # of the key's size: two ways to one number


def picture_of(rows: Any) -> str:
    """Return the heatmap of values (rows, columns) in [-1, 1] as a PNG in base 64.

    Raises ValueError in the author's words.
    """
    try:
        values = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:  # a whole number without a float
        raise ValueError("picture: expected rows of numbers, all of the same length") from error
    if values.ndim != 2 or not all(2 <= side <= MAX_SIDE for side in values.shape):
        raise ValueError(
            f"picture: shape {values.shape}: expected 2 to {MAX_SIDE} rows and columns"
        )
    if not np.all(np.abs(values) <= 1 + 1e-9):
        raise ValueError("picture: values must lie between -1 and 1")
    indices = np.clip(np.floor((values + 1) * 128), 0, 255).astype(np.uint8)
    return base64.b64encode(palette_png(indices, RDBU_R)).decode()


def prose_of(plain: Mapping[str, Any], name: str, longest: int) -> str:
    """Return Markdown of at most `longest` characters, without space around it."""
    text = plain.get(name)
    if not isinstance(text, str) or not 1 <= len(text.strip()) <= longest:
        raise ValueError(f"{name}: expected text of 1 to {longest} characters")
    problems = [one for one in markdown_problems(text, path=name) if not one.since_published]
    if problems:
        raise ValueError(f"{name}: {problems[0].message}")
    return text.strip()


def refuse_leftovers(made: "Generated") -> None:
    """Refuse markup that no page understands: of a generator that has made no question yet."""
    options = [text for one in made.options for text in (one.text, one.reason)]
    answer = made.answer or {}
    reasons = [one["reason"] for one in (answer, *answer.get("near", ())) if one]
    for place, text in enumerate([*options, made.prompt, *reasons]):
        in_one_line = place < len(options) and place % 2 == 0
        for problem in markdown_problems(text, path="", in_one_line=in_one_line):
            raise ValueError(problem.message)


def number_of(plain: Mapping[str, Any], name: str) -> float:
    """Return a finite number."""
    value = plain.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name}: {value!r}: expected a finite number")
    if not abs(value) <= sys.float_info.max:  # no NaN, and no int that is too large either
        raise ValueError(f"{name}: {value!r}: expected a finite number")
    return float(value)


def mistake_of(plain: Mapping[str, Any]) -> str:
    """Return the known mistake that gives this answer, "" where none does."""
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


class RefusedError(Exception):
    """These numbers make no good question; others may."""


@dataclass(frozen=True)
class GeneratedOption:
    """One option; `value` is the number it stands for, where it does."""

    text: str
    reason: str
    is_key: bool
    mistake: str = ""
    value: float | None = None
    picture: str = ""  # a PNG in base 64


@dataclass(frozen=True)
class Generated:
    """One question as a seed made it. `answer` is that of a numeric one, else None."""

    seed: int
    prompt: str
    facts: Mapping[str, Any]
    options: tuple[GeneratedOption, ...] = ()
    answer: Mapping[str, Any] | None = None


def generated_from(plain: Any, *, kind: str, seed: int) -> Generated:
    """Return a question from plain values.

    Raises ValueError, in words for the author, and RefusedError.
    """
    if not isinstance(plain, dict):
        raise ValueError(f"generate() returned a {type(plain).__name__}, expected a dict")
    names = {"prompt", "facts", "proof"}
    names |= {"answer"} if kind == "numeric" else {"key", "distractors", "apart"}
    refuse_unseen(plain)
    refuse_unknown(plain, names, "the question")
    prompt = prose_of(plain, "prompt", MAX_PROMPT)
    facts = plain.get("facts", {})
    if not isinstance(facts, dict) or not facts:
        raise ValueError("facts: expected the drawn numbers by name")
    if any(isinstance(one, float) and not math.isfinite(one) for one in leaves_of(facts)):
        raise ValueError("facts: expected finite numbers")
    if kind == "numeric":
        return Generated(seed, prompt, facts, answer=_answer(plain))
    return Generated(seed, prompt, facts, options=tuple(_options(plain)))


def _options(plain: Mapping[str, Any]) -> Iterator[GeneratedOption]:
    key = _option(plain.get("key"), "key", is_key=True)
    _prove(plain, key.text if key.value is None else key.value)
    candidates = plain.get("distractors")
    if not isinstance(candidates, list) or not 1 <= len(candidates) <= MAX_CANDIDATES:
        raise ValueError(f"distractors: expected a list of 1 to {MAX_CANDIDATES}")
    apart = _least_difference(plain, key)
    chosen = [key]
    for number, one in enumerate(candidates):
        option = _option(one, f"distractors[{number}]", is_key=False)
        if len(chosen) <= DISTRACTORS and all(_differ(option, other, apart) for other in chosen):
            chosen.append(option)
    if len(chosen) <= FEWEST_DISTRACTORS:
        raise RefusedError(f"{len(chosen) - 1} distractors are far enough from the key")
    yield from chosen


def _least_difference(plain: Mapping[str, Any], key: GeneratedOption) -> float:
    if plain.get("apart") is not None:
        return number_of(plain, "apart")
    return APART * abs(key.value or 0.0) or APART


def _differ(option: GeneratedOption, other: GeneratedOption, apart: float) -> bool:
    if option.text.casefold() == other.text.casefold() or (
        option.picture and option.picture == other.picture
    ):
        return False
    if option.value is None or other.value is None:
        return True
    return abs(option.value - other.value) >= apart


def _option(plain: Any, name: str, *, is_key: bool) -> GeneratedOption:
    if not isinstance(plain, dict):
        raise ValueError(f"{name}: expected a dict with text and reason")
    refuse_unknown(plain, {"text", "reason", "value", "picture", "mistake"}, name)
    try:
        text = prose_of(plain, "text", MAX_TEXT)
        if "\n" in text:
            raise ValueError("text: must be one line")
        return GeneratedOption(
            text=text,
            reason=prose_of(plain, "reason", MAX_REASON),
            is_key=is_key,
            mistake=mistake_of(plain),
            value=None if plain.get("value") is None else number_of(plain, "value"),
            picture=picture_of(plain["picture"]) if "picture" in plain else "",
        )
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _answer(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return a number as it is stored; near misses too close to the key or another are dropped."""
    given = plain.get("answer")
    if not isinstance(given, dict):
        raise ValueError("answer: expected a dict with value and reason")
    refuse_unknown(given, {"value", "within", "plus_minus", "unit", "reason", "near"}, "answer")
    value = number_of(given, "value")
    _prove(plain, value)
    answer: dict[str, Any] = {
        name: number_of(given, name)
        for name in ("within", "plus_minus")
        if given.get(name) is not None
    }
    tolerance = answer.get("plus_minus", abs(value) * answer.get("within", WITHIN))
    if tolerance <= 0:
        raise ValueError("answer: use plus_minus, more than 0: a share of 0 is 0")
    answer |= {"unit": _unit(given)} if given.get("unit") is not None else {}
    answer |= {"value": repr(value), "reason": prose_of(given, "reason", MAX_REASON)}
    answer["near"] = list(_near(given.get("near", []), value, tolerance))
    return answer


def _unit(plain: Mapping[str, Any]) -> str:
    unit = plain["unit"]
    if not isinstance(unit, str):
        raise ValueError(f"answer: unit: {unit!r}: expected text")
    if len(unit) > MAX_UNIT:
        raise ValueError(f"answer: unit: {len(unit)} characters, at most {MAX_UNIT} are allowed")
    return unit


def _near(candidates: Any, value: float, tolerance: float) -> Iterator[dict[str, str]]:
    if not isinstance(candidates, list) or len(candidates) > MAX_CANDIDATES:
        raise ValueError(f"answer: near: expected a list of at most {MAX_CANDIDATES}")
    taken: list[float] = []
    for one in candidates:
        if not isinstance(one, dict):
            raise ValueError("answer: near: expected dicts with value and reason")
        miss = number_of(one, "value")
        if abs(miss - value) > 1.5 * tolerance and all(
            abs(miss - other) > tolerance for other in taken
        ):
            taken.append(miss)
            reason = prose_of(one, "reason", MAX_REASON)
            yield {"value": repr(miss), "reason": reason, "mistake": mistake_of(one)}


def _prove(plain: Mapping[str, Any], key: float | str) -> None:
    """Hold the key to what the author found in another way."""
    if "proof" not in plain:
        raise ValueError("proof: missing; compute the key a second time, in another way")
    proof = plain["proof"]
    if isinstance(key, str):
        if proof != key:
            raise ValueError(f"proof: {proof!r} is not the key's text {key!r}")
    elif abs(number_of(plain, "proof") - key) > SAME * max(abs(key), SAME):
        raise ValueError(f"proof: {proof!r} is not the key's value {key!r}")
