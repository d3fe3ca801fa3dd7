"""What a config.json says of position that most readers of it do not know, in sentences.

Each sentence follows from the layers alone and has at most 20 words. The first is the one that
costs most when it is overlooked: layers without position, then what a reader of rope_theta alone
computes, then pairs that never go round.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc.catalog.alibi import Alibi
from posenc.catalog.learned import Learned
from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.configs.ladder import frequencies_in
from posenc.number_format import counted, grouped
from posenc.stack import Layer, Stack, as_runs

MOST_RUNS = 5  # of layers in a sentence
SAME = 1e-6  # of a ratio
WAYS = {"dynamic-ntk": "dynamic", "yarn": "yarn", "llama3": "llama3", "linear": "linear"}
TIMES = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Turning:
    """The layers of a stack that turn in the same way: `rope` is theirs, `places` from 0 on."""

    rope: Rope
    places: tuple[int, ...]
    layer: Layer

    @property
    def trained(self) -> int | None:
        """Return the trained length, where the scaling is relative to one; else no file has it."""
        relative = self.rope.scaling in {"yarn", "llama3", "dynamic-ntk"}
        return self.rope.trained_length if relative or self.rope.longrope_long else None


def turning_of(stack: Stack) -> tuple[Turning, ...]:
    """Return the different ways in which layers turn, by first appearance. M-RoPE as in a text."""
    ways: dict[Rope, tuple[Layer, list[int]]] = {}
    for layer, places in stack.groups():
        rope = rope_in(layer)
        if rope is not None and rope.moving_pairs:
            ways.setdefault(rope, (layer, []))[1].extend(places)
    return tuple(
        Turning(rope, tuple(sorted(places)), layer) for rope, (layer, places) in ways.items()
    )


def rope_in(layer: Layer) -> Rope | None:
    """Return the RoPE of a layer; that of M-RoPE for a text, whose three positions are equal."""
    if isinstance(layer.encoding, Rope2d):
        return layer.encoding.rope
    return layer.encoding if isinstance(layer.encoding, Rope) else None


def findings(stack: Stack) -> tuple[str, ...]:
    """Return what is true of a model's position, the most surprising first; never empty."""
    ways = turning_of(stack)
    said = [*_without_position(stack), *_alone(stack, ways), *_slowest(stack, ways)]
    said += _short_windows(stack)
    said += [*_other_tables(stack), *_far(stack), *_scaled_scores(stack, ways), *_rest(stack)]
    return tuple(dict.fromkeys(said)) or ("Every layer does the same with position.",)


def _without_position(stack: Stack) -> Iterator[str]:
    """Say which layers have no position of their own."""
    every = len(stack.layers)
    bare = [
        place
        for place, layer in enumerate(stack.layers)
        if layer.kind == "attention" and isinstance(layer.encoding, NoPE)
    ]
    recurrent = sum(layer.kind == "recurrent" for layer in stack.layers)
    turning = every - recurrent - len(bare)
    if bare and turning:
        have = "has" if len(bare) == 1 else "have"
        yield f"{len(bare)} of {counted(every, 'layer')} {have} no position: {_places(bare)}."
    elif bare and recurrent:
        yield (
            f"No layer turns anything: {len(bare)} of {every} have attention without position, the"
            " others are recurrent."
        )
    elif bare:
        yield "No layer has position: only the causal mask tells earlier tokens from later ones."
    if recurrent and turning:
        verb = "has" if turning == 1 else "have"
        yield (
            f"Only {turning} of {every} layers {verb} attention that turns; {recurrent} are"
            " recurrent."
        )


def _alone(stack: Stack, ways: tuple[Turning, ...]) -> Iterator[str]:
    """Say what code gets wrong that reads rope_theta and nothing else."""
    for way in ways:
        rope = way.rope
        where = "" if len(ways) == 1 else f" in {_layers(way.places)}"
        real = frequencies_in(rope, stack.context)
        still = int((real == 0).sum())
        if still:
            yield (
                f"{still} of {len(real)} pairs never turn{where}. Code that reads rope_theta alone"
                " turns them all."
            )
        elif rope.scaling != "none" or rope.longrope_long:
            yield from _unscaled(rope, real, where)
        if rope.turning < rope.head_dim and not still:
            yield (
                f"Only {rope.turning} of {rope.head_dim} dimensions turn{where}. Code that reads"
                " rope_theta alone turns all of them."
            )
    bases = dict.fromkeys(way.rope.base for way in ways)
    if len(bases) > 1:
        low, high = min(bases), max(bases)
        first = next(way.places for way in ways if way.rope.base == low)
        yield (
            f"Two bases: {grouped(low)} in {_layers(first)}, {grouped(high)} elsewhere."
            " One rope_theta for all is wrong."
        )


def _unscaled(rope: Rope, real: npt.NDArray[np.float64], where: str) -> Iterator[str]:
    """Compare with plain RoPE of the same base and the same dimensions, pair by pair."""
    plain = Rope(
        head_dim=rope.head_dim,
        base=rope.base,
        pairing=rope.pairing,
        rotary_share=rope.rotary_share,
    ).inv_freq
    ratio = plain / real
    largest = float(ratio.max())
    if largest <= 1 + SAME:
        return
    pair = int(np.flatnonzero(ratio >= largest * (1 - SAME))[0])
    way = "longrope" if rope.longrope_long else WAYS.get(rope.scaling, rope.scaling)
    yield (
        f"This file says {way}{where}. Code that reads rope_theta alone turns pair {pair}"
        f" {_too_fast(largest)}."
    )


def _slowest(stack: Stack, ways: tuple[Turning, ...]) -> Iterator[str]:
    """Compare the slowest pair of all with the stated length, then with the windows."""
    if not ways:
        return
    slowest = {way: _slowest_period(way.rope, stack.context) for way in ways}
    way = max(ways, key=slowest.__getitem__)
    period = slowest[way]
    where = "" if len(ways) == 1 else f" in {_layers(way.places)}"
    needs = f"The slowest pair{where} needs {grouped(round(period))} tokens for one turn"
    context = stack.context
    if context is None:
        yield f"{needs}."
        return
    if period >= 2 * context:
        yield f"{needs}: {grouped(round(period / context))} times the stated {grouped(context)}."
    else:
        yield f"{needs}; the file states {grouped(context)}."
    inv_freq = frequencies_in(way.rope, context)
    few = int(((inv_freq > 0) & (inv_freq * context < 2 * math.pi)).sum())
    if few:
        verb = "goes" if few == 1 else "go"
        yield (
            f"{few} of {counted(len(inv_freq), 'pair')} never {verb} round once in the stated"
            f" {grouped(context)} tokens."
        )


def _short_windows(stack: Stack) -> Iterator[str]:
    """Say where a window is shorter than a turn: no two tokens that meet are a turn apart."""
    for layer, _ in stack.groups():
        rope, window = rope_in(layer), layer.window
        if rope is None or window is None or window >= (stack.context or window + 1):
            continue
        inv_freq = frequencies_in(rope, stack.context)
        beyond = int(((inv_freq > 0) & (inv_freq * window < 2 * math.pi)).sum())
        if beyond:
            of = f"{beyond} of {counted(len(inv_freq), 'pair')}"
            yield f"A window of {grouped(window)} keys is less than one turn of {of}."


def _slowest_period(rope: Rope, context: int | None) -> float:
    inv_freq = frequencies_in(rope, context)
    return 2 * math.pi / float(inv_freq[inv_freq > 0].min())


def _other_tables(stack: Stack) -> Iterator[str]:
    """Say what a table of positions, or ALiBi's slopes, mean for longer texts."""
    for layer, _ in stack.groups():
        if isinstance(layer.encoding, Learned):
            rows = layer.encoding.max_len
            yield (
                f"Nothing turns: a table has {grouped(rows)} rows, so position {grouped(rows)}"
                " does not exist."
            )
        elif isinstance(layer.encoding, Alibi):
            yield (
                f"Nothing turns: each of {layer.encoding.n_heads} heads takes its own slope off"
                " every score, per token of distance."
            )


def _far(stack: Stack) -> Iterator[str]:
    """Say which layers see a part of the text only, and how far back an output can depend."""
    reach = stack.reach()
    if reach is not None and (stack.context is None or reach < stack.context):
        yield f"An output depends on at most {grouped(reach)} tokens, through all layers."
    for layer, places in stack.groups():
        if layer.window is not None:
            keys = f"sees at most {grouped(layer.window)} keys"
            yield f"In {_layers(places)} a token {keys}, itself included."
        elif layer.chunk is not None:
            chunk = f"its own chunk of {grouped(layer.chunk)}"
            yield f"In {_layers(places)} a token sees {chunk} alone."


def _scaled_scores(stack: Stack, ways: tuple[Turning, ...]) -> Iterator[str]:
    for way in ways:
        if way.rope.temperature != 1:
            factor = way.rope.temperature**2
            yield f"The part of a score that turns is multiplied by {factor:.5g}."
        if way.layer.score_scale != 1:
            yield f"All scores are multiplied by {way.layer.score_scale:.6g} as well."
        if way.layer.unturned:
            yield (
                f"Each head has {way.layer.unturned} more columns that never turn, in front of the"
                f" {way.rope.turning}."
            )
    for layer, places in stack.groups():
        warm = layer.temperature
        if warm is not None and warm.kind != "ssmax":
            yield (
                f"Queries of {_layers(places)} grow with their position, in steps of"
                f" {grouped(warm.length)} tokens."
            )


def _rest(stack: Stack) -> Iterator[str]:
    if any(layer.sink for layer in stack.layers):
        yield "Each head has a learned sink: the weights of a row add up to less than 1."
    if not any(layer.causal for layer in stack.layers):
        yield "Tokens see later tokens too."


def _layers(places: tuple[int, ...] | list[int]) -> str:
    """Return "layer 3" or "layers 0–23" where they follow each other, else how many there are."""
    runs = as_runs(places)
    if len(places) == 1:
        return f"layer {runs}"
    return f"{len(places)} layers" if "," in runs else f"layers {runs}"


def _places(places: tuple[int, ...] | list[int]) -> str:
    """Return "3, 7, 11": the first runs and the last where there are many."""
    runs = as_runs(places).split(", ")
    if len(runs) > MOST_RUNS:
        runs = [*runs[:3], "…", runs[-1]]
    return ", ".join(runs)


def _too_fast(ratio: float) -> str:
    whole = round(ratio)
    exact = abs(ratio - whole) <= SAME * whole
    if exact and 2 <= whole < len(TIMES):
        return f"{TIMES[whole]} times too fast"
    return f"too fast, by a factor of {grouped(whole) if exact else f'{ratio:.3g}'}"
