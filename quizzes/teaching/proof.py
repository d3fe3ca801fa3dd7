"""An exercise's proof as its page shows it: which case catches which known mistake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.grader.proof import ProvedCase, weak_cases

WEAK_NAMED = 5  # further ones are marked in the list of all cases
LINT = {
    "tolerance": "Tolerance",
    "dtype": "Type of numbers",
    "case": "Case",
    "speed": "Time",
    "example": "Example",
}


@dataclass(frozen=True)
class Cell:
    """Whether one case catches one variant."""

    case: str
    caught: bool


@dataclass(frozen=True)
class VariantShown:
    """One row of the matrix. `made`: learners who made this mistake."""

    slug: str
    kind: str
    sentence: str
    told_apart: bool
    caught_by: int
    cells: tuple[Cell, ...]
    learners: int
    submissions: int


@dataclass(frozen=True)
class CaseShown:
    """One column of the matrix."""

    number: int
    label: str
    shown: bool
    identify: bool
    lets_through: int
    weakest: bool
    weak: bool


@dataclass(frozen=True)
class ProofShown:
    """The whole page of one verified version."""

    caught: int
    told_apart: int
    total: int
    weakest: str
    weak: tuple[CaseShown, ...]
    cases: tuple[CaseShown, ...]
    variants: tuple[VariantShown, ...]
    examples: tuple[Mapping[str, Any], ...]
    warnings: tuple[tuple[str, str], ...]
    seconds: float

    @property
    def weak_named(self) -> tuple[CaseShown, ...]:
        """The worst of those that let more than a third through."""
        return self.weak[:WEAK_NAMED]

    @property
    def weak_more(self) -> int:
        """How many weak cases are not among `weak_named`."""
        return len(self.weak[WEAK_NAMED:])

    @property
    def percent(self) -> int:
        """The mutation score: the share of known mistakes that at least one case catches."""
        return 100 * self.caught // self.total if self.total else 0


def proof_shown(
    proof: Mapping[str, Any] | None, made: Mapping[str, tuple[int, int]]
) -> ProofShown | None:
    """Return a stored proof as its page shows it; None when there is none, or an unknown one.

    `made`: by variant, how many learners made that mistake in how many submissions.
    """
    if not proof or proof.get("schema") != 1:
        return None
    weakest = proof["weakest"] or {}
    total = proof["score"]["total"]
    weak = [one.label for one in weak_cases([ProvedCase(**one) for one in proof["cases"]], total)]
    cases = tuple(
        CaseShown(
            number,
            case["label"],
            case["shown"],
            case["identify"],
            len(case["passed_by"]),
            case["label"] == weakest.get("label"),
            case["label"] in weak,
        )
        for number, case in enumerate(proof["cases"], start=1)
    )
    return ProofShown(
        caught=proof["score"]["caught"],
        told_apart=proof["score"]["told_apart"],
        total=total,
        weakest=weakest.get("sentence", ""),
        weak=tuple(sorted((case for case in cases if case.weak), key=_most_through)),
        cases=cases,
        variants=tuple(_variant(one, proof["cases"], made) for one in proof["variants"]),
        examples=tuple(proof["examples"]),
        warnings=tuple(
            (LINT.get(one["kind"], "Note"), one["message"]) for one in proof["warnings"]
        ),
        seconds=proof["seconds"],
    )


def _most_through(case: CaseShown) -> int:
    return -case.lets_through


def _variant(
    variant: Mapping[str, Any], cases: list[Any], made: Mapping[str, tuple[int, int]]
) -> VariantShown:
    slug = variant["slug"]
    learners, submissions = made.get(slug, (0, 0))
    cells = tuple(Cell(case["label"], slug not in case["passed_by"]) for case in cases)
    return VariantShown(
        slug,
        variant["kind"],
        variant["sentence"],
        variant["told_apart"],
        variant["caught_by"],
        cells,
        learners,
        submissions,
    )
