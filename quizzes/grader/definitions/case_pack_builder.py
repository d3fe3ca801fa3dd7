"""Case packs from an author's files: everything of the author's runs in the author sandbox.

Broken or endless code of an author is an AuthorError naming file and line, never a stuck queue. So
are cases of which no verdict can be made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from quizzes.grader.definitions.author_program import refuse_broken
from quizzes.grader.definitions.definition import (
    CASES,
    REFERENCE,
    ExerciseDefinition,
    WrongSolution,
)
from quizzes.grader.definitions.fill_seeds import derive_seed, with_fill_seeds
from quizzes.grader.definitions.patient_sandbox import PatientSandbox
from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import (
    CasePack,
    EntryPoint,
    FingerprintSet,
    Variant,
    digest_of_call,
)
from quizzes.grader.judge.comparison import agree
from quizzes.grader.judge.diagnosis import NEEDED
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.messages import describe_failure
from quizzes.grader.judge.report import KnownMistake
from quizzes.grader.judge.timed_results import sample_result
from quizzes.grader.judge.timing import TIMED_AGAIN, largest_timed, time_again
from quizzes.grader.protocol.case import Case, arguments
from quizzes.grader.protocol.job import Job, Sandbox, Task
from quizzes.grader.protocol.observation import LOOK, Observation, Observed, results_of
from quizzes.grader.protocol.pairs import pairs_of
from quizzes.grader.protocol.read_results import read_listing, read_run

FIXED_SEED = 0
# A case that is equal in all of these drawings is called the same in every pack. Of a drawn number
# with ten values, all four are equal once in a thousand exercises, and their author is told.
DRAWINGS = (FIXED_SEED, 1, 2, 3)
_FIXED = ("label", "probe", "raises", "fill")


def build_case_pack(
    definition: ExerciseDefinition,
    author: Sandbox,
    *,
    seed: int,
    fingerprints: FingerprintSet | None = None,
) -> CasePack:
    """Draw a new pack; raises AuthorError. `fingerprints` of its version save running variants."""
    author = PatientSandbox.of(author)
    cases = draw_cases(definition, author, seed)
    if fingerprints is None:
        fingerprints = _run_fingerprints(definition, author, cases)
    expected, refilled = _run_reference(definition, author, cases, seed)
    if definition.speed_at_most is not None:
        expected = _time_reference(definition, author, cases, seed, expected)
    expected = _with_sampled_results(definition, cases, expected, seed)
    conventions, conventions_refilled = _run_conventions(definition, author, cases, seed)
    pack = CasePack(
        slug=definition.slug,
        content_hash=definition.content_hash,
        seed=seed,
        entry=entry_point(definition),
        cases=cases,
        expected=expected,
        fingerprints=fingerprints,
        conventions=conventions,
        refilled=refilled,
        conventions_refilled=conventions_refilled,
    )
    if definition.speed_at_most is not None and largest_timed(pack, pack.expected) is None:
        message = "cannot be timed on any case with probe='time', so speed.at_most never counts"
        raise AuthorError(REFERENCE, 1, message)
    return pack


def entry_point(definition: ExerciseDefinition) -> EntryPoint:
    """Return the part of the definition that the judge needs."""
    return EntryPoint(
        definition.name,
        definition.kind,
        definition.library,
        definition.dtypes,
        definition.tolerance,
        definition.limits,
        definition.speed_at_most,
        definition.scores,
        definition.below,
        definition.starter,
    )


def draw_cases(definition: ExerciseDefinition, author: Sandbox, seed: int) -> tuple[Case, ...]:
    """Return what `cases(rng)` of cases.py yields for this seed, checked; raises AuthorError."""
    job = Job(
        definition.cases,
        "cases",
        seed=seed,
        limits=definition.limits,
        filename=CASES,
        task=Task.LIST_CASES,
    )
    observed = read_listing(author.run(job))
    _refuse_broken(CASES, observed, (), definition)
    problems = list(_case_problems(observed.listed, definition))
    if problems:
        raise AuthorError(CASES, 1, *problems)
    return with_fill_seeds(observed.listed, seed)


def _case_problems(cases: Sequence[Case], definition: ExerciseDefinition) -> Iterator[str]:
    """Yield everything that keeps a verdict from being made of these cases."""
    if not cases:
        yield "yields no case: every solution would be correct"
        return
    labels = [case.label for case in cases]
    for label in dict.fromkeys(labels):
        if labels.count(label) > 1:
            yield f"yields two cases with the label {label!r}"
    if not any(case.shown and case.graded for case in cases):
        yield "yields no shown case: a Check would say nothing"
    if definition.speed_at_most is not None and not any(case.probe == "time" for case in cases):
        yield "yields no case with probe='time', but exercise.yaml has speed.at_most"
    identifying = sum(case.identify and not case.raises for case in cases)
    if definition.wrong and identifying < NEEDED:
        message = f"has {identifying} identify cases that return, expected {NEEDED} or more"
        yield f"{message} to tell known mistakes apart"
    needs_init = definition.kind == "module"
    for case in cases:
        if needs_init != (case.init is not None):
            word = "needs" if needs_init else "takes no"
            yield f"{case.label}: a {definition.kind} {word} init"


def same_call(case: Case, other: Case) -> bool:
    """Say whether two cases ask the same of the code, argument by argument."""
    if any(getattr(case, name) != getattr(other, name) for name in _FIXED):
        return False
    pairs = list(zip(arguments(case), arguments(other), strict=False))
    counted = len(list(arguments(case))) == len(list(arguments(other)))
    return counted and all(a == b and _same_value(x, y) for (a, x), (b, y) in pairs)


def _same_value(value: object, other: object) -> bool:
    if isinstance(value, np.ndarray) or isinstance(other, np.ndarray):
        return bool(np.array_equal(np.asarray(value), np.asarray(other)))
    return value == other


def _run_reference(
    definition: ExerciseDefinition, author: Sandbox, cases: tuple[Case, ...], seed: int
) -> tuple[tuple[Observation, ...], tuple[Observation, ...]]:
    """Run the reference on each case, and on those called with learned numbers refilled.

    Return what it gives on both.
    """
    file = (REFERENCE, definition.reference)
    job = replace(_job(definition, file, cases, seed), pairs=pairs_of(cases))
    observed = read_run(author.run(job), cases, job.paired_calls)
    _refuse_broken(REFERENCE, observed, cases, definition)
    expected = _complete(observed.observations)
    for case, observation in zip(cases, expected, strict=True):
        _refuse_unusable(definition, case, observation)
    expected = _without_chance(definition, author, cases, seed, expected)
    refilled = {
        call.place: got for call, got in observed.paired if call.refilled and got is not None
    }
    for place, observation in refilled.items():
        _refuse_unusable(definition, cases[place], observation)
    empty = Observation()
    return expected, tuple(refilled.get(at, empty) for at in range(len(cases))) if refilled else ()


def _without_chance(
    definition: ExerciseDefinition,
    author: Sandbox,
    cases: tuple[Case, ...],
    seed: int,
    expected: tuple[Observation, ...],
) -> tuple[Observation, ...]:
    """Return the same without the looks in which the reference has chance.

    A module that is not filled has numbers of its own, if it learns any: it is called again with
    other random numbers.
    """
    places = [
        place
        for place, case in enumerate(cases)
        if case.init is not None and not case.fill and _compared_keys(case, expected[place])
    ]
    if not places:
        return expected
    file = (REFERENCE, definition.reference)
    again = _observe(definition, author, file, tuple(cases[at] for at in places), seed + 1)
    kept = list(expected)
    for place, other in zip(places, again, strict=True):
        leaves = dict(expected[place].leaves)
        for key in _compared_keys(cases[place], expected[place]):
            values = leaves[key].values
            again_values = other.leaves[key].values if key in other.leaves else None
            if values is None or again_values is None:  # more than can travel, or not timed
                continue
            if not agree(values, again_values, definition.tolerance):
                del leaves[key]
        kept[place] = replace(expected[place], leaves=leaves)
    return tuple(kept)


def _compared_keys(case: Case, observation: Observation) -> list[str]:
    """Return the keys of arrays beside what was measured on them, or beside the seconds."""
    if case.probe == "time":
        return list(results_of(observation))
    return [key for key in observation.leaves if key.startswith(LOOK)]


def _with_sampled_results(
    definition: ExerciseDefinition,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    seed: int,
) -> tuple[Observation, ...]:
    """Return the same with some numbers alone of the results of timed calls."""
    return tuple(
        sample_result(observation, derive_seed(seed, "places", case.label), definition.dtypes)
        if case.probe == "time"
        else observation
        for case, observation in zip(cases, expected, strict=True)
    )


def _refuse_unusable(definition: ExerciseDefinition, case: Case, observation: Observation) -> None:
    failure = observation.failure
    if failure is not None and not case.raises:
        call = call_text(entry_point(definition), case)
        said = describe_failure(failure, definition.name, call)
        raise AuthorError(REFERENCE, failure.line or 1, f"{case.label}: {said}")
    if failure is None and case.raises:
        raise AuthorError(REFERENCE, 1, f"{case.label}: expected to raise, but it returned")
    for key, leaf in observation.leaves.items():
        if leaf.kind == "random":
            what = f"{case.label}: the numbers are different every time; does the case need fill?"
            raise AuthorError(REFERENCE, 1, what)
        if leaf.values is None and case.probe != "time":
            what = f"{case.label}: {key} is of kind {leaf.kind}, expected numbers"
            raise AuthorError(REFERENCE, 1, what)


def _time_reference(
    definition: ExerciseDefinition,
    author: Sandbox,
    cases: tuple[Case, ...],
    seed: int,
    expected: tuple[Observation, ...],
) -> tuple[Observation, ...]:
    """Time the reference as often as a submission is timed.

    Otherwise the time allowed would differ from pack to pack.
    """
    job = _job(definition, (REFERENCE, definition.reference), cases, seed)
    timed = [place for place, case in enumerate(cases) if case.probe == "time"]
    known: tuple[Observation | None, ...] = expected
    for _ in range(TIMED_AGAIN):
        known = time_again(job, timed, known, author)
    return tuple(one for one in known if one is not None)


def _run_fingerprints(
    definition: ExerciseDefinition, author: Sandbox, cases: Sequence[Case]
) -> FingerprintSet:
    drawn = tuple(case for case in cases if case.identify)
    drawings = [draw_cases(definition, author, seed) for seed in DRAWINGS]
    fixed = tuple(case for case in drawings[0] if case.identify)
    if len(fixed) != len(drawn) or not all(map(same_call, fixed, drawn)):
        message = "an identify case depends on the random generator; give it fixed arguments"
        raise AuthorError(CASES, 1, message)
    variants = tuple(
        Variant(_mistake(wrong), _run_variant(definition, author, wrong, fixed))
        for wrong in definition.wrong.values()
    )
    calls = [frozenset(map(digest_of_call, cases)) for cases in drawings]
    return FingerprintSet(fixed, variants, frozenset.intersection(*calls))


Conventions = dict[str, tuple[Observation, ...]]


def _run_conventions(
    definition: ExerciseDefinition, author: Sandbox, cases: tuple[Case, ...], seed: int
) -> tuple[Conventions, Conventions]:
    """Return what code that is right by another convention gives, on each case that is judged.

    And on those that are called with learned numbers filled once more. The others, of which nothing
    is compared with it, have an empty observation.
    """
    conventions = [wrong for wrong in definition.wrong.values() if wrong.kind == "convention"]
    places = [place for place, case in enumerate(cases) if case.graded]
    judged = tuple(cases[place] for place in places)
    pairs = pairs_of(judged) if any(case.refills for case in judged) else ()
    results: Conventions = {}
    refilled: Conventions = {}
    for wrong in conventions:
        file = (f"wrong/{wrong.slug}.py", wrong.source)
        job = replace(_job(definition, file, judged, seed), pairs=pairs)
        observed = read_run(author.run(job), judged, job.paired_calls)
        _refuse_broken(file[0], observed, judged, definition)
        seen = dict(zip(places, _complete(observed.observations), strict=True))
        later = {
            places[call.place]: result
            for call, result in observed.paired
            if call.refilled and result is not None
        }
        everywhere = range(len(cases))
        results[wrong.slug] = tuple(seen.get(at, Observation()) for at in everywhere)
        if later:
            refilled[wrong.slug] = tuple(later.get(at, Observation()) for at in everywhere)
    return results, refilled


def _run_variant(
    definition: ExerciseDefinition,
    author: Sandbox,
    wrong: WrongSolution,
    cases: tuple[Case, ...],
    seed: int = FIXED_SEED,
) -> tuple[Observation, ...]:
    path = f"wrong/{wrong.slug}.py"
    return _observe(definition, author, (path, wrong.source), cases, seed)


def _observe(
    definition: ExerciseDefinition,
    author: Sandbox,
    file: tuple[str, str],
    cases: tuple[Case, ...],
    seed: int,
) -> tuple[Observation, ...]:
    observed = read_run(author.run(_job(definition, file, cases, seed)), cases)
    _refuse_broken(file[0], observed, cases, definition)
    return _complete(observed.observations)


def _complete(observations: Sequence[Observation | None]) -> tuple[Observation, ...]:
    """Return the observations of a run that came to its end."""
    found = tuple(observation for observation in observations if observation is not None)
    assert len(found) == len(observations)
    return found


def _job(
    definition: ExerciseDefinition, file: tuple[str, str], cases: tuple[Case, ...], seed: int
) -> Job:
    path, source = file
    job = Job(source, definition.name, cases, definition.library, seed, definition.limits, path)
    return replace(job, below=definition.below)


def _refuse_broken(
    path: str, observed: Observed, cases: Sequence[Case], definition: ExerciseDefinition
) -> None:
    entry = entry_point(definition)
    if path == CASES:
        entry = replace(entry, name="cases")
    refuse_broken(observed, cases, entry, path=path)


def _mistake(wrong: WrongSolution) -> KnownMistake:
    return KnownMistake(wrong.slug, wrong.kind, wrong.sentence, wrong.step, wrong.breaks)
