"""What verifying an exercise found out, as data: matrix, mutation score, examples, warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quizzes.grader.definitions.worked_examples import Example
from quizzes.grader.judge.mistake_pairs import MistakePair
from quizzes.grader.judge.report import with_stored_names

SCHEMA = 1
# A case that more than this share of the wrong solutions pass is reported. Cases begin small, and
# small ones let some through; what a third of all mistakes pass says little about code that does.
MANY = 1 / 3


@dataclass(frozen=True)
class VerifiedCase:
    """One graded case, and the variants that pass it: it alone would let them through."""

    label: str
    probe: str
    shown: bool
    identify: bool
    raises: bool
    passed_by: tuple[str, ...]

    @property
    def looks_at_results(self) -> bool:
        """Others measure one property, which most wrong solutions keep."""
        return self.probe in ("call", "call_eval") and not self.raises


@dataclass(frozen=True)
class VerifiedVariant:
    """One known-wrong variant: how it was graded, what it was called, which cases catch it.

    `told_apart`: it was called by its own name and no other. `first_case` and `stage`: its first
    fault. `caught_by`: how many cases it fails.
    """

    slug: str
    kind: str
    sentence: str
    step: str | None
    verdict: str
    named: str | None
    told_apart: bool
    caught_by: int
    first_case: str | None
    stage: str | None


@dataclass(frozen=True)
class VerifiedClause:
    """One clause of the statement, and the variants that break it alone.

    `beside`: of each variant that breaks more, which case says so. `waiver`: the author's reason
    why no variant breaks it alone.
    """

    name: str
    text: str
    broken_by: tuple[str, ...]
    beside: tuple[str, ...]
    waiver: str

    @property
    def open(self) -> bool:
        """Neither broken alone nor excused."""
        return not self.broken_by and not self.waiver

    @property
    def sentence(self) -> str:
        """Say that no variant breaks it alone."""
        return f"No known mistake breaks requirement {self.name} alone: {self.text}"


@dataclass(frozen=True)
class Warned:
    """Something an author should look at.

    `kind` is tolerance, dtype, case, speed, example, clause or starter.
    """

    kind: str
    message: str


@dataclass(frozen=True)
class VerificationReport:
    """Everything that verifying found out about one version of an exercise.

    `pairs`: of code that makes two mistakes at once, which two can be told.
    """

    slug: str
    content_hash: str
    seconds: float
    cases: tuple[VerifiedCase, ...]
    variants: tuple[VerifiedVariant, ...]
    examples: tuple[Example, ...]
    warnings: tuple[Warned, ...]
    pairs: tuple[MistakePair, ...] = ()
    clauses: tuple[VerifiedClause, ...] = ()

    @property
    def score(self) -> Mapping[str, int]:
        """How many variants some case catches, how many have their own name, of how many."""
        return {
            "caught": sum(variant.caught_by > 0 for variant in self.variants),
            "told_apart": sum(variant.told_apart for variant in self.variants),
            "total": len(self.variants),
        }

    @property
    def weakest(self) -> Mapping[str, Any] | None:
        """The case that lets most variants through, among those that look at results."""
        looking = [case for case in self.cases if case.looks_at_results]
        if not looking or not self.variants:
            return None
        worst = max(looking, key=lambda case: len(case.passed_by))
        through, total = len(worst.passed_by), len(self.variants)
        missed = f"{through} of {total} wrong solutions"
        sentence = f"On its own, the case “{worst.label}” lets {missed} through."
        return {
            "label": worst.label,
            "lets_through": through,
            "total": total,
            "sentence": sentence,
        }

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an author should look at, in sentences; none of it keeps from publishing."""
        total = len(self.variants)
        weak = ", ".join(
            f"“{case.label}” ({len(case.passed_by)} of {total})"
            for case in weak_cases(self.cases, total)
        )
        through = "lets more than a third of the wrong solutions through"
        alone = f"On its own, each of these cases {through}: {weak}."
        return (*([alone] if weak else []), *(warning.message for warning in self.warnings))

    def as_json(self) -> dict[str, Any]:
        """Return a dict that `json.dumps` takes, to be stored with the version."""
        return {
            "schema": SCHEMA,
            "slug": self.slug,
            "content_hash": self.content_hash,
            "seconds": self.seconds,
            "cases": [asdict(case) for case in self.cases],
            "variants": [with_stored_names(asdict(variant)) for variant in self.variants],
            "score": self.score,
            "weakest": self.weakest,
            "examples": [asdict(example) for example in self.examples],
            "warnings": [asdict(warning) for warning in self.warnings],
            "clauses": [asdict(clause) for clause in self.clauses],
            "pairs": {
                "isolated": [[one.first, one.second] for one in self.pairs if one.isolated],
                "not_isolated": [[one.first, one.second] for one in self.pairs if not one.isolated],
            },
        }


def weak_cases(cases: Sequence[VerifiedCase], variants: int) -> list[VerifiedCase]:
    """Return the cases that each alone let more than MANY of so many variants pass, worst first."""
    weak = [
        case
        for case in cases
        if case.looks_at_results and case.passed_by and len(case.passed_by) / variants > MANY
    ]
    return sorted(weak, key=lambda case: -len(case.passed_by))
