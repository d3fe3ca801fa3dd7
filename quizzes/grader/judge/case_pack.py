"""Everything the judge needs to grade one submission, prepared ahead; bytes without pickle.

A pack holds two sets of cases: the fixed fingerprint cases with what every known-wrong variant
gives on them, and value cases drawn afresh for this pack, with what the reference gives (of a pair
also on learned numbers refilled), and what each variant gives that is right by another
convention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import compress, islice
from typing import Any
from weakref import WeakKeyDictionary

from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.judge.report import KnownMistake
from quizzes.grader.protocol.case import Case, decode_cases, encode_cases
from quizzes.grader.protocol.job import Limits
from quizzes.grader.protocol.observation import CHANGED, Leaf, Observation
from quizzes.grader.protocol.pairs import Pair, PairedCall, pairs_of
from quizzes.grader.protocol.read_results import read_observation, write_observation
from quizzes.grader.protocol.wire import BadFrame, Bounds, Frame, split

FORMAT = 4
BIAS = "bias"  # what an exercise's result is to scores: added to them
LEAST_ROWS, LEAST_COLUMNS = 2, 3  # of a result that shows what is in which order
SAME_DTYPE = "same"  # among an exercise's dtypes: the one that the reference returns
_BOUNDS = Bounds(header=4 << 20, body=64 << 20)
# Packs are judged again and again: a digest each time was 0.4 ms of a module's verdict.
_DIGESTS: WeakKeyDictionary[Case, str] = WeakKeyDictionary()


@dataclass(frozen=True)
class EntryPoint:
    """What the student defines, and how its results are compared.

    `speed_at_most`: how many times the reference's time it may take; None: time does not count.
    `scores`: BIAS where the result is a bias of scores, else "". `below`: the author's code that
    runs below what the student wrote. `starter`: what learners begin with; "" in old packs.
    """

    name: str
    kind: str
    library: str
    dtypes: tuple[str, ...]
    tolerance: Tolerance
    limits: Limits
    speed_at_most: float | None = None
    scores: str = ""
    below: str = ""
    starter: str = ""


@dataclass(frozen=True, eq=False)
class Variant:
    """A known-wrong variant: what to tell the student, and what its fingerprint cases gave."""

    mistake: KnownMistake
    observations: tuple[Observation, ...]


@dataclass(frozen=True, eq=False)
class FingerprintSet:
    """Fixed per version of an exercise: cases, and what each variant gives on them.

    `same_calls`: the digests of the cases that are the same in every pack; all others are drawn.
    """

    cases: tuple[Case, ...]
    variants: tuple[Variant, ...]
    same_calls: frozenset[str]


@dataclass(frozen=True, eq=False)
class CasePack:
    """One drawing of an exercise's cases. `cases` and `expected` run smallest first.

    `refilled`: what the reference gives on each case once the learned numbers of its module are
    refilled; empty for a case that is not called so, and () where none is. `conventions`: by
    slug, what each variant of that kind gives on `cases`; `conventions_refilled`: as `refilled`.
    """

    slug: str
    content_hash: str
    seed: int
    entry: EntryPoint
    cases: tuple[Case, ...]
    expected: tuple[Observation, ...]
    fingerprints: FingerprintSet
    conventions: Mapping[str, tuple[Observation, ...]] = field(default_factory=dict)
    refilled: tuple[Observation, ...] = ()
    conventions_refilled: Mapping[str, tuple[Observation, ...]] = field(default_factory=dict)

    def find_pairs(self, *, shown_only: bool = False) -> tuple[Pair, ...]:
        """Return the pairs among the cases; with `shown_only` those of shown cases."""
        return tuple(
            pair
            for pair in pairs_of(self.cases)
            if not shown_only or (self.cases[pair.first].shown and self.cases[pair.second].shown)
        )

    def expected_of(self, call: PairedCall) -> Observation:
        """Return the reference's result for a call of a pair."""
        return (self.refilled if call.refilled else self.expected)[call.place]

    def by_convention(self, slug: str) -> CasePack | None:
        """Return the pack, expecting what another convention gives; None where that is not known.

        A variant that changes an argument does not ask code to, so then nothing is expected of it.
        """
        results = self.conventions.get(slug)
        if results is None:
            return None
        refilled = self.conventions_refilled.get(slug, ())
        return replace(self, expected=tuple(map(_calm, results)), refilled=refilled)

    def is_drawn(self, place: int) -> bool:
        """Say whether the case at this place is another one in other packs."""
        return digest_of_call(self.cases[place]) not in self.fingerprints.same_calls

    def compares_values(self, place: int) -> bool:
        """Say whether the case at this place is passed by nothing but arrays the judge compares.

        Others ask for an error, or for what only the process of the code can tell.
        """
        case, expected = self.cases[place], self.expected[place]
        returns = case.probe in ("call", "call_eval") and expected.failure is None
        return returns and any(key.split(".")[0] == "out" for key in expected.leaves)

    def is_evidence(self, place: int) -> bool:
        """Say whether passing this case shows that the code computes: hidden, drawn, and compared.

        A shown case can be answered by its text, one that is always the same by an old report.
        """
        case = self.cases[place]
        hidden = case.graded and not case.shown
        return hidden and self.is_drawn(place) and self.compares_values(place)

    @cached_property
    def example(self) -> int | None:
        """The place of the smallest input that learners see before they send code.

        Mostly it is the statement's own example, and its result shows rows and columns.
        """
        shown = [place for place, case in enumerate(self.cases) if case.shown and not case.spare]
        return next(filter(self.shows_order, shown), next(iter(shown), None))

    def shows_order(self, place: int) -> bool:
        """Say whether a result here is large enough to see rows, columns and their order.

        That is 2 rows of 3 numbers, or 3 numbers where a result has no rows.
        """
        leaves = self.expected[place].leaves.items()
        shapes = (leaf.shape for key, leaf in leaves if key.split(".")[0] == "out")
        return any(
            len(shape) > 0
            and min(shape) > 0
            and shape[-1] >= LEAST_COLUMNS
            and (len(shape) == 1 or shape[-2] >= LEAST_ROWS)
            for shape in shapes
        )

    def keep(self, selected: Sequence[bool]) -> CasePack:
        """Return the same pack with some of its cases only."""
        return replace(
            self,
            cases=tuple(compress(self.cases, selected)),
            expected=tuple(compress(self.expected, selected)),
            conventions={
                slug: tuple(compress(observations, selected))
                for slug, observations in self.conventions.items()
            },
            refilled=tuple(compress(self.refilled, selected)),
            conventions_refilled={
                slug: tuple(compress(results, selected))
                for slug, results in self.conventions_refilled.items()
            },
        )

    def to_bytes(self) -> bytes:
        """Return a stream of wire frames."""
        return b"".join(self._frames())

    @classmethod
    def from_bytes(cls, data: bytes, *, fingerprints: FingerprintSet | None = None) -> CasePack:
        """Return the pack that `to_bytes` made; raises wire.BadFrame for anything else.

        `fingerprints`, of another pack of the same version, are taken over instead of read once
        more: most of a pack is what its many variants give, and it is the same in all of them.
        """
        frames = split(data, _BOUNDS)
        try:
            head = next(frames)
            if head.header.get("format") != FORMAT:
                raise BadFrame("not a case pack of this format")
            pack = cls._from_frames(head, frames, fingerprints)
        except (StopIteration, KeyError, TypeError, ValueError) as error:
            raise BadFrame(f"not a case pack: {error!r}") from error
        if fingerprints is None and next(frames, None) is not None:
            raise BadFrame("a case pack with something after its end")
        return pack

    def _frames(self) -> Iterator[bytes]:
        facts = {"slug": self.slug, "content_hash": self.content_hash, "seed": self.seed}
        mistakes = [asdict(variant.mistake) for variant in self.fingerprints.variants]
        header = {"format": FORMAT, **facts, "entry": asdict(self.entry), "mistakes": mistakes}
        header |= {"conventions": list(self.conventions), "refilled": bool(self.refilled)}
        header["conventions_refilled"] = list(self.conventions_refilled)
        yield encode_cases(self.cases, header)
        same = sorted(self.fingerprints.same_calls)
        yield encode_cases(self.fingerprints.cases, {"same_calls": same})
        of_conventions = (*self.conventions.values(), *self.conventions_refilled.values())
        for observations in (self.expected, self.refilled, *of_conventions):
            for observation in observations:
                yield write_observation(observation)
        for variant in self.fingerprints.variants:
            for observation in variant.observations:
                yield write_observation(observation)

    @classmethod
    def _from_frames(
        cls, head: Frame, frames: Iterator[Frame], fingerprints: FingerprintSet | None
    ) -> CasePack:
        fixed = next(frames)
        cases, fingerprint_cases = decode_cases(head), decode_cases(fixed)
        expected = _take_observations(frames, len(cases))
        refilled = _take_observations(frames, len(cases) if head.header["refilled"] else 0)
        conventions = {
            slug: _take_observations(frames, len(cases)) for slug in head.header["conventions"]
        }
        conventions_refilled = {
            slug: _take_observations(frames, len(cases))
            for slug in head.header["conventions_refilled"]
        }
        if fingerprints is None:
            variants = tuple(
                Variant(KnownMistake(**mistake), _take_observations(frames, len(fingerprint_cases)))
                for mistake in head.header["mistakes"]
            )
            same = frozenset(fixed.header["same_calls"])
            fingerprints = FingerprintSet(fingerprint_cases, variants, same)
        return cls(
            slug=head.header["slug"],
            content_hash=head.header["content_hash"],
            seed=head.header["seed"],
            entry=_entry(head.header["entry"]),
            cases=cases,
            expected=expected,
            fingerprints=fingerprints,
            conventions=conventions,
            conventions_refilled=conventions_refilled,
            refilled=refilled,
        )


def _calm(observation: Observation) -> Observation:
    """Return the same without the word that an argument was changed."""
    changed = {key for key, leaf in observation.leaves.items() if _says_changed(key, leaf)}
    leaves = {key: leaf for key, leaf in observation.leaves.items() if key not in changed}
    return replace(observation, leaves=leaves) if changed else observation


def _says_changed(key: str, leaf: Leaf) -> bool:
    return key.startswith(CHANGED) and leaf.values is not None and bool(leaf.values.any())


def digest_of_call(case: Case) -> str:
    """Digest what the case asks of the code, whatever it is called: equal calls, equal digests."""
    digest = _DIGESTS.get(case)
    if digest is None:
        call = Case("call", case.kwargs, case.init, case.probe, raises=case.raises, fill=case.fill)
        digest = _DIGESTS[case] = sha256(encode_cases((call,), {})).hexdigest()
    return digest


def _take_observations(frames: Iterator[Frame], count: int) -> tuple[Observation, ...]:
    taken = tuple(read_observation(frame) for frame in islice(frames, count))
    if len(taken) < count:
        raise BadFrame("a case pack that ends too early")
    return taken


def _entry(plain: dict[str, Any]) -> EntryPoint:
    return EntryPoint(
        name=plain["name"],
        kind=plain["kind"],
        library=plain["library"],
        dtypes=tuple(plain["dtypes"]),
        tolerance=Tolerance(**plain["tolerance"]),
        limits=Limits(**plain["limits"]),
        speed_at_most=plain.get("speed_at_most"),
        scores=plain.get("scores", ""),
        below=plain.get("below", ""),
        starter=plain.get("starter", ""),
    )
