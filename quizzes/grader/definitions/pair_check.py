"""Whether every argument of an exercise has a pair of cases that differ in it alone.

Code that keeps something between calls and forgets an argument is found by a pair for that argument
and by nothing else, so an argument without one needs a reason: `no_pair` in exercise.yaml.
"""

from __future__ import annotations

from collections.abc import Iterator

from quizzes.grader.definitions.definition import CASES, YAML, ExerciseDefinition
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import same_observation
from quizzes.grader.protocol.case import arguments
from quizzes.grader.protocol.observation import Observation, results_of
from quizzes.grader.protocol.pairs import Pair, pairs_of, unpaired


def pair_problems(definition: ExerciseDefinition, pack: CasePack) -> Iterator[str]:
    """Yield each argument without a pair or a reason, and each pair or reason that is none."""
    slug, cases = definition.slug, pack.cases
    for case in unpaired(cases):
        words = f"pair={case.pair!r}, expected one other case marked so that differs in {case.pair}"
        yield f"{CASES}: {slug}: {case.label!r} has {words} alone, in equal shapes and dtypes"
    for pair in pairs_of(cases):
        if same_observation(*_results(pack, pair), pack.entry.tolerance):
            labels = f"{cases[pair.first].label!r} and {cases[pair.second].label!r}"
            words = f"{labels} expect the same result, so their pair finds nothing"
            yield f"{CASES}: {slug}: {words}; expected values of {pair.argument} that change it"
    used = dict.fromkeys(name for case in cases if case.returns for name, _ in arguments(case))
    paired = {pair.argument for pair in pairs_of(cases)}
    for name in used:
        if name not in paired and name not in definition.no_pair:
            words = f"the argument {name} has no pair of cases that differ in it alone"
            expected = f"expected two with pair={name!r}, or a reason under no_pair in {YAML}"
            yield f"{CASES}: {slug}: {words}; {expected}"
    for name in definition.no_pair:
        if name in paired:
            yield f"{YAML}: {slug}: no_pair: {name}: has a pair of cases; remove the reason"
        elif name not in used:
            known = ", ".join(used)
            yield (
                f"{YAML}: {slug}: no_pair: {name}: is not an argument of any case, expected {known}"
            )


def _results(pack: CasePack, pair: Pair) -> tuple[Observation, Observation]:
    first, second = (pack.expected[place] for place in (pair.first, pair.second))
    return Observation(results_of(first)), Observation(results_of(second))
