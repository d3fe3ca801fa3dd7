"""Turning a fixed question into one that a program draws, and back.

The program begins with the options or the number that were there, as they were, so it can be drawn
at once; back again, the question becomes what one seed gave.
"""

from collections.abc import Mapping
from typing import Any

from quizzes.assessment.canonical_files import ANSWER_FIELDS
from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.question_fields import GENERATED

_FIXED = ("prompt", "step", "tags", "keep_last")
_INDENT = " " * 4

NEW_SINGLE = '''"""The sum of two numbers."""


def generate(rng, exercise):
    # The same seed gives the same rng, and so the same question.
    a = int(rng.integers(2, 50))
    b = int(rng.integers(2, 50))
    right = a + b
    wrong = [
        (a * b, "That is the product."),
        (a - b, "That is the difference."),
        (2 * right, "That is twice the sum."),
        (right + 10, "That is 10 too many."),
        (right - 10, "That is 10 too few."),
    ]
    rng.shuffle(wrong)
    return {
        "prompt": f"What is ${a} + {b}$?",
        "facts": {"a": a, "b": b},  # what was drawn
        "proof": sum([a, b]),  # the key again, by another way
        "key": {"text": str(right), "value": right, "reason": f"${a} + {b} = {right}$."},
        # The first three that differ enough from the key and from each other are offered.
        "distractors": [
            *({"text": str(value), "value": value, "reason": reason} for value, reason in wrong),
            # With an exercise: the number that each of its known mistakes gives.
            # *({**one, "text": f"{one['value']:g}"} for one in exercise.mistaken(pick, d=8)),
        ],
    }
'''
NEW_NUMERIC = '''"""The mean of three numbers."""


def generate(rng, exercise):
    # The same seed gives the same rng, and so the same question.
    numbers = [int(one) for one in rng.integers(2, 50, size=3)]
    a, b, c = numbers
    mean = sum(numbers) / 3
    return {
        "prompt": f"What is the mean of {a}, {b} and {c}?",
        "facts": {"numbers": numbers},  # what was drawn
        "proof": a / 3 + b / 3 + c / 3,  # the key again, by another way
        "answer": {
            "value": mean,
            "within": 0.01,  # a share of the value
            "reason": f"${a} + {b} + {c} = {sum(numbers)}$, divided by 3.",
            # Wrong numbers with their feedback. With an exercise: those of its known mistakes.
            "near": [
                {"value": sum(numbers), "reason": "That is the sum: divide it by 3."},
                # *exercise.mistaken(pick, d=8),
            ],
        },
    }
'''


def can_be_drawn(content: Mapping[str, Any]) -> bool:
    """Say whether a program can draw questions of this kind."""
    return content["kind"] in GENERATED


def drawn_content(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a question of the same kind with a program that makes what this one asks."""
    fixed = {name: content[name] for name in _FIXED}
    program = _program_of_number(content) if content["kind"] == "numeric" else _program(content)
    return {"kind": content["kind"], **fixed, "exercise": "", "generator": program}


def fixed_content(content: Mapping[str, Any], made: Generated | None) -> dict[str, Any]:
    """Return a fixed question that asks what a program made; an empty one without that."""
    fixed = {name: content[name] for name in _FIXED} | {"kind": content["kind"]}
    if made is not None:
        fixed["prompt"] = made.prompt
    if content["kind"] == "numeric":
        empty = {"value": "", "unit": "", "reason": ""}
        return {**fixed, "answer": {**empty, **(made.answer or {} if made else {})}}
    options = [
        {"text": option.text, "key": option.is_key, "reason": option.reason}
        | ({"mistake": option.mistake} if option.mistake else {})
        for option in (made.options if made else ())
    ]
    return {**fixed, "options": options}


def _program(content: Mapping[str, Any]) -> str:
    options = [
        option for option in content.get("options", ()) if option["text"] or option["reason"]
    ]
    if not options:
        return NEW_SINGLE
    key = next((option for option in options if option["key"]), options[0])
    parts = {
        "prompt": repr(content["prompt"]),
        "facts": '{"n": n}',
        "proof": repr(key["text"]),
        "key": _literal(_shown(key), 2),
        "distractors": _literals([_shown(option) for option in options if option is not key], 2),
    }
    return _whole(parts)


def _program_of_number(content: Mapping[str, Any]) -> str:
    answer = content.get("answer") or {}
    if not answer.get("value"):
        return NEW_NUMERIC
    fields = {name: answer[name] for name in ANSWER_FIELDS if answer.get(name) not in (None, "")}
    fields["value"] = _number(answer["value"])
    near = [{**miss, "value": _number(miss["value"])} for miss in fields.pop("near", ())]
    lines = _literal(fields, 2).removesuffix(f"{_INDENT * 2}}}")
    parts = {
        "prompt": repr(content["prompt"]),
        "facts": '{"n": n}',
        "proof": repr(fields["value"]),
        "answer": f'{lines}{_INDENT * 3}"near": {_literals(near, 3)},\n{_INDENT * 2}}}',
    }
    return _whole(parts)


def _whole(parts: Mapping[str, str]) -> str:
    lines = "".join(f'{_INDENT * 2}"{name}": {text},\n' for name, text in parts.items())
    return (
        "def generate(rng, exercise):\n"
        f"{_INDENT}n = int(rng.integers(2, 50))  # draw what the question is to vary\n"
        f"{_INDENT}return {{\n{lines}{_INDENT}}}\n"
    )


def _shown(option: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of an option as generate() returns them."""
    return {name: option[name] for name in ("text", "reason", "mistake") if option.get(name)}


def _literal(fields: Mapping[str, Any], depth: int) -> str:
    inner = "".join(
        f'{_INDENT * (depth + 1)}"{name}": {value!r},\n' for name, value in fields.items()
    )
    return f"{{\n{inner}{_INDENT * depth}}}"


def _literals(rows: list[dict[str, Any]], depth: int) -> str:
    inner = "".join(f"{_INDENT * (depth + 1)}{_literal(row, depth + 1)},\n" for row in rows)
    return f"[\n{inner}{_INDENT * depth}]" if rows else "[]"


def _number(text: str) -> float:
    """Return a number as the program has it, 0 for what is none yet."""
    try:
        return float(read_number(text))
    except NotANumberError:
        return 0.0
