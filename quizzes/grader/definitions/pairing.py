"""Whether every argument of an exercise has a pair of cases that differ in it alone.

Code that keeps something between calls and forgets an argument is found by a pair for that argument
and by nothing else, so an argument without one needs a reason: `no_pair` in exercise.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizzes.grader.definitions.definition import CASES, YAML, ExerciseDefinition
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.pairs import pairs_of, unpaired


def pair_problems(definition: ExerciseDefinition, cases: Sequence[Case]) -> Iterator[str]:
    """Yield each argument without a pair or a reason, and each pair or reason that is none."""
    slug = definition.slug
    for case in unpaired(cases):
        words = f"pair={case.pair!r}, expected one other case marked so that differs in {case.pair}"
        yield f"{CASES}: {slug}: {case.label!r} has {words} alone, in equal shapes and dtypes"
    used = dict.fromkeys(name for case in cases if case.returns for name, _ in arguments(case))
    paired = {pair.argument for pair in pairs_of(cases)}
    for name in used:
        if name not in paired and name not in definition.no_pair:
            words = f"the argument {name} has no pair of cases that differ in it alone"
            expected = f"expected two with pair={name!r}, or a reason under no_pair in {YAML}"
            yield f"{CASES}: {slug}: {words}; {expected}"
    for name in definition.no_pair:
        if name in paired:
            yield f"{YAML}: {slug}: no_pair: {name}: has a pair of cases; leave the reason out"
        elif name not in used:
            known = ", ".join(used)
            yield f"{YAML}: {slug}: no_pair: {name}: is no argument of a case, expected {known}"
