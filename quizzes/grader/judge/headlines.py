"""The one line above a report: what is wrong, in a few words.

A check says these words beside its finding, or leaves them to its stage; `headline` makes the line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from quizzes.grader.judge.comparison import Difference
from quizzes.grader.judge.messages import (
    BROKE_OFF,
    MAX_NAME,
    differentiated,
    holder,
    plain_name,
    subject,
    with_article,
)
from quizzes.grader.protocol.observation import Failure, Leaf
from quizzes.grader.protocol.sanitize import clean_line
from quizzes.grader.protocol.verdict import Stage
from quizzes.grader.protocol.wire import Array

NOT_YET = "Not yet: "
OTHER_CONVENTION_AND = "another convention, and "
BRIEF_FORGED = "your code wrote to its result channel"
BRIEF_NESTED = "your code is nested too deeply for Python"
BRIEF_NOTEBOOK = "this is a notebook file"
BRIEF_NONE = "your code returned None"
BRIEF_STARTER = "this is still the starter code"
BRIEF_RANDOM = "two calls with the same input gave different results"
_BRIEF = {
    Stage.IMPORTS: "your code does not load",
    Stage.NAME: "a name is missing",
    Stage.SIGNATURE: "your code cannot be called as the exercise asks",
    Stage.RETURNED: BROKE_OFF,
    Stage.STRUCTURE: "you returned something other than what was asked for",
    Stage.SHAPE: "the shape differs",
    Stage.DTYPE: "the dtype differs",
    Stage.FINITE: "the result contains NaN",
    Stage.VALUES: "the result differs",
    Stage.RAISES: "an expected error is missing",
    Stage.SIDE_EFFECTS: "your code changed an argument",
    Stage.PROPERTIES: "a property does not hold",
    Stage.GRADIENTS: "the gradients or parameters differ",
    Stage.TIME: "your code is too slow",
    Stage.LIMIT: "your code reached a limit",
}
# Python's own words for arguments that do not fit, from inspect.Signature.bind.
_UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
_MISSING = re.compile(r"missing a required (?:keyword-only )?argument: '(\w+)'")


def headline(brief: str, stage: Stage, *, other_convention: bool = False) -> str:
    """Make the one line above a report from a finding's few words, or else from its stage's."""
    said = brief or _BRIEF[stage]
    return NOT_YET + (OTHER_CONVENTION_AND if other_convention else "") + clean_line(said, 200)


def words_of(stage: Stage) -> str:
    """Say what a stage found, in the same words for every code."""
    return _BRIEF[stage]


def headline_of_part(conventions: int, mistakes: int) -> str:
    """Make the line above mistakes that are named as the least that is wrong."""
    named = "two known mistakes" if mistakes == 2 else "one known mistake"
    if conventions:
        other = "another convention" if conventions == 1 else "two other conventions at once"
        return NOT_YET + (f"{other}, and at least {named}" if mistakes else other)
    return f"{NOT_YET}at least {named}"


def brief_failure(failure: Failure, name: str) -> str:
    """Say in a few words what happened to code that raised, or that lacks the name called."""
    if failure.stage is Stage.SIGNATURE:
        return _brief_signature(failure.message, name)
    if failure.stage is Stage.NAME:
        return f"your code does not define {name}"
    if failure.stage is Stage.STRUCTURE:
        return f"your {name} does not make a torch.nn.Module"
    if failure.exit:
        return "your code ends the program"
    line = f" in line {failure.line}" if failure.line else ""
    return f"your code stopped with {with_article(failure.type or 'error')}{line}"


def brief_character(line: int, name: str) -> str:
    """Name a character that Python does not accept in code, and its line."""
    return f"line {line} has {with_article(name, MAX_NAME)}"


def brief_tabs(line: int) -> str:
    """Say where tabs and spaces are mixed."""
    return f"line {line} mixes tabs and spaces"


def _brief_signature(message: str, name: str) -> str:
    reason = message.partition("\n")[2]
    for pattern, word in ((_UNEXPECTED, "with"), (_MISSING, "without")):
        found = pattern.search(reason)
        if found:
            return f"your {name} cannot be called {word} {clean_line(found[1], 40)}"
    return f"your {name} cannot be called as the exercise asks"


def brief_no_array(key: str, expected: Leaf, got: Leaf) -> str:
    """Say in a few words what was returned instead of an array."""
    kind = {"tensor": "a tensor", "number": "a number"}.get(expected.kind, "an array")
    returned = "a single number" if got.kind == "number" else with_article(got.type)
    start = "you returned" if key == "out" else f"{subject(key)} is"
    return f"{start} {returned}, not {kind}"


def brief_parts(expected: Mapping[str, Leaf], got: Mapping[str, Leaf]) -> str:
    """Say in a few words that there are other parts than expected."""
    return f"you returned {_brief_leaves(got)}, not {_brief_leaves(expected)}"


def _brief_leaves(leaves: Mapping[str, Leaf]) -> str:
    if not leaves:
        return "nothing to compare"
    if list(leaves) != ["out"]:
        return holder(leaves)
    kinds = {"array": "an array", "tensor": "a tensor", "number": "a single number"}
    return kinds.get(leaves["out"].kind) or with_article(leaves["out"].type)


def brief_shape(key: str, expected: Leaf, got: Leaf) -> str:
    """Say both shapes in a few words."""
    return f"{subject(key)} has shape {got.shape}, not {expected.shape}"


def brief_dtype(key: str, expected: str, got: str) -> str:
    """Say both dtypes in a few words."""
    return f"{subject(key)} has dtype {got}, not {expected}"


def brief_not_finite(key: str, got: Array, difference: Difference) -> str:
    """Say whether NaN or an infinity is in the place of a finite number.

    Others may be infinite rightly, such as scores of masked keys.
    """
    if np.isnan(got[difference.worst]):
        return f"{subject(key)} contains NaN where a finite number belongs"
    return f"{subject(key)} contains an infinite number where a finite one belongs"


def brief_changed(name: str) -> str:
    """Name the argument that is not as it was before the call."""
    return f"your code changed its argument {plain_name(name)}"


def brief_property(title: str) -> str:
    """Name the property that does not hold."""
    return f"“{title}” does not hold"


def brief_gradient(name: str) -> str:
    """Say whose gradient differs."""
    return f"the gradient of {differentiated(name)} differs"
