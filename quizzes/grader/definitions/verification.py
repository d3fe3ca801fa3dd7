"""Verifying an exercise: reference correct, starter not, each variant named and no other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from quizzes.grader.definitions.ambiguity import find_ambiguities
from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.clauses import read_requirements, verify_clauses
from quizzes.grader.definitions.compared_looks import look_problems, untimed_warnings
from quizzes.grader.definitions.definition import CASES, REFERENCE, RIGHT, ExerciseDefinition
from quizzes.grader.definitions.distinct_calls import few_call_problems, idle_reasons
from quizzes.grader.definitions.liars import lies_about
from quizzes.grader.definitions.pair_check import pair_problems
from quizzes.grader.definitions.patient_sandbox import PatientSandbox
from quizzes.grader.definitions.verification_report import (
    VerificationReport,
    VerifiedCase,
    VerifiedVariant,
    Warned,
)
from quizzes.grader.definitions.worked_examples import STATEMENT, Example, run_examples
from quizzes.grader.errors import AuthorError
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.diagnosis import twin_of
from quizzes.grader.judge.evaluation import NO_EVIDENCE, evaluate, verdict_of
from quizzes.grader.judge.fingerprint import variant_fingerprints
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.mistake_pairs import list_pairs
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.observation import FACT, Observation

SEEDS = (1, 2)
# What learners read who send the starter as it is; anything else is no place to begin from.
_OF_A_STARTER = (Verdict.WRONG, Verdict.COULD_NOT_RUN)
_NAMED = {
    "mistake": Verdict.KNOWN_MISTAKE,
    "convention": Verdict.CORRECT_OTHER_CONVENTION,
}


@dataclass(frozen=True)
class Verification:
    """Whether an exercise may be published, every reason why not (`file: what`), and the proof.

    `fingerprints`: by known mistake, that of submissions which make it.
    """

    problems: tuple[str, ...]
    proof: VerificationReport
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """No problem was found."""
        return not self.problems


def verify(
    definition: ExerciseDefinition,
    author: Sandbox,
    student: Sandbox,
    *,
    was_published: bool = False,
) -> Verification:
    """Run everything once over; raises AuthorError when the author's code does not even run.

    Author's code is judged in the author sandbox, the starter where students' code runs. Of files
    that were published already (`was_published`), what was not looked at then is a warning.
    """
    started = time.monotonic()
    author = PatientSandbox.of(author)
    first = build_case_pack(definition, author, seed=SEEDS[0])
    if not any(map(first.is_evidence, range(len(first.cases)))):
        raise AuthorError(CASES, 1, NO_EVIDENCE)
    others = [
        build_case_pack(definition, author, seed=s, fingerprints=first.fingerprints)
        for s in SEEDS[1:]
    ]
    reports = {
        slug: grade_code(first, wrong.source, author) for slug, wrong in definition.wrong.items()
    }
    examples = run_examples(definition, author)
    failed = {
        slug: [case.label for case in report.cases if not case.passed]
        for slug, report in reports.items()
    }
    clauses, clause_problems = verify_clauses(definition, first.cases, failed)
    starter = grade_code(first, definition.starter, PatientSandbox.of(student))
    endless = list(_unfinished_starter(starter))
    new_problems = [*look_problems([first, *others]), *few_call_problems(definition, author)]
    problems = [
        *_pair_problems(definition, [first, *others]),
        *_reference_problems(definition, [first, *others], author),
        *_starter_problems(starter),
        *_variant_problems(definition, reports, first),
        *_convention_problems(first),
        *_liar_problems(first, others),
        *_example_problems(examples),
        *(() if was_published else (*endless, *clause_problems, *new_problems)),
    ]
    cases = _verify_cases(first, reports)
    proof = VerificationReport(
        slug=definition.slug,
        content_hash=definition.content_hash,
        seconds=time.monotonic() - started,
        cases=cases,
        variants=tuple(_verify_variant(definition, slug, reports[slug]) for slug in reports),
        examples=examples,
        warnings=(
            *find_ambiguities(definition, first, cases, examples),
            *_clause_warnings(definition, clause_problems if was_published else ()),
            *(Warned("case", words) for words in new_problems if was_published),
            *(Warned("starter", words) for words in endless if was_published),
            *untimed_warnings(first),
            *idle_reasons(definition, author),
        ),
        pairs=list_pairs(first),
        clauses=clauses,
    )
    return Verification(tuple(problems), proof, variant_fingerprints(first))


def _clause_warnings(definition: ExerciseDefinition, problems: Sequence[str]) -> Iterator[Warned]:
    for words in (*problems, *read_requirements(definition.statement).warnings):
        yield Warned("clause", words)


def _reference_problems(
    definition: ExerciseDefinition, packs: list[CasePack], author: Sandbox
) -> Iterator[str]:
    sources = {REFERENCE: definition.reference}
    sources |= {f"{RIGHT}/{name}.py": source for name, source in definition.right.items()}
    for (path, source), pack in product(sources.items(), packs):
        report = grade_code(pack, source, author)
        if report.verdict is not Verdict.CORRECT:
            yield f"{path}: {_what_happened(report)} (seed {pack.seed})"


def _pair_problems(definition: ExerciseDefinition, packs: list[CasePack]) -> list[str]:
    """Return the problems of pairs in any drawing, each only once."""
    found = (said for pack in packs for said in pair_problems(definition, pack))
    return list(dict.fromkeys(found))


def _starter_problems(report: Report) -> Iterator[str]:
    if report.verdict is Verdict.CORRECT:
        yield "starter.py: is graded correct as it stands"
    if report.known_mistake is not None:
        yield f"starter.py: is taken for the known mistake {report.known_mistake.slug}"


def _unfinished_starter(report: Report) -> Iterator[str]:
    """Yield a problem for a starter that reaches a limit: one that never ends, most often.

    A learner who sends it as it is waits for a verdict that says nothing of their work.
    """
    if report.verdict is Verdict.CORRECT or report.known_mistake is not None:
        return
    if report.verdict not in _OF_A_STARTER:
        expected = " or ".join(_OF_A_STARTER)
        yield f"starter.py: {_what_happened(report)}; expected {expected}"


def _variant_problems(
    definition: ExerciseDefinition, reports: Mapping[str, Report], pack: CasePack
) -> Iterator[str]:
    told: set[frozenset[str]] = set()
    for slug, report in reports.items():
        if _told_apart(definition, slug, report):
            continue
        twin = twin_of(slug, pack)
        if twin is None:
            expected = f"{_NAMED[definition.wrong[slug].kind]} {slug}"
            yield f"wrong/{slug}.py: {_what_happened(report)}, expected {expected}"
        elif {slug, twin} not in told:
            told.add(frozenset({slug, twin}))
            what = "cannot be told apart: they give the same results on every identify case"
            yield f"wrong/{slug}.py: {slug} and {twin} {what}"


def _convention_problems(pack: CasePack) -> Iterator[str]:
    """Yield a problem for each convention that breaks a property of the reference.

    A convention keeps the properties of the reference; a mixture of two does not.
    """
    expected = [
        observation
        for case, observation in zip(pack.cases, pack.expected, strict=True)
        if case.identify and case.probe in ("norm_change", "relative_scores")
    ]
    places = [
        place
        for place, case in enumerate(pack.fingerprints.cases)
        if case.probe in ("norm_change", "relative_scores")
    ]
    for variant in pack.fingerprints.variants:
        got = [variant.observations[place] for place in places]
        if variant.mistake.kind == "convention" and not all(map(_same_facts, expected, got)):
            slug = variant.mistake.slug
            yield f"wrong/{slug}.py: is not a convention: it breaks a property of the reference"


def _liar_problems(pack: CasePack, others: Sequence[CasePack]) -> Iterator[str]:
    graded = [place for place, case in enumerate(pack.cases) if case.graded]
    for words, observed in lies_about(pack, others):
        verdict = verdict_of(evaluate(pack, observed, graded))
        if verdict in (Verdict.CORRECT, Verdict.CORRECT_OTHER_CONVENTION):
            what = f"code that computes nothing and returns {words} is graded {verdict}"
            yield f"{CASES}: {what}; draw a hidden case with a different result"


def _same_facts(expected: Observation, got: Observation) -> bool:
    return all(
        key in got.leaves and got.leaves[key].values == leaf.values
        for key, leaf in expected.leaves.items()
        if key.startswith(FACT)
    )


def _example_problems(examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        if not example.ok:
            said = example.got.strip() or "nothing"
            yield f"{STATEMENT}:{example.line}: {example.source.strip()} gives {said}"


def _verify_cases(pack: CasePack, reports: Mapping[str, Report]) -> tuple[VerifiedCase, ...]:
    passed = {
        slug: {case.label for case in report.cases if case.passed}
        for slug, report in reports.items()
    }
    return tuple(
        VerifiedCase(
            case.label,
            case.probe,
            case.shown,
            case.identify,
            case.raises,
            tuple(slug for slug, labels in passed.items() if case.label in labels),
        )
        for case in pack.cases
        if case.graded
    )


def _verify_variant(definition: ExerciseDefinition, slug: str, report: Report) -> VerifiedVariant:
    wrong, problem = definition.wrong[slug], report.first_fault
    return VerifiedVariant(
        slug,
        wrong.kind,
        wrong.sentence,
        wrong.step,
        report.verdict.value,
        report.known_mistake.slug if report.known_mistake else None,
        _told_apart(definition, slug, report),
        sum(not case.passed for case in report.cases),
        report.found_in or (problem.case if problem else None),
        problem.stage.value if problem else None,
    )


def _told_apart(definition: ExerciseDefinition, slug: str, report: Report) -> bool:
    named = report.known_mistake.slug if report.known_mistake else None
    return report.verdict is _NAMED[definition.wrong[slug].kind] and named == slug


def _what_happened(report: Report) -> str:
    named = f" {report.known_mistake.slug}" if report.known_mistake else ""
    problem = f": {report.first_fault.message}" if report.first_fault else ""
    return f"was graded {report.verdict}{named}{problem}"
