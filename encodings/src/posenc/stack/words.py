"""Layers in words: what an encoding does, and which layers are alike."""

from collections.abc import Iterable

from posenc.catalog.nope import NoPE
from posenc.catalog.rope import Rope
from posenc.catalog.rope_2d import Rope2d
from posenc.encoding import Encoding
from posenc.number_format import grouped


def describe_encoding(encoding: Encoding) -> str:
    """Return in words what an encoding does: "RoPE, base 10 000, all 128 dimensions"."""
    match encoding:
        case Rope() as rope:
            return ", ".join(("RoPE", *_of_rope(rope)))
        case Rope2d() as rope:
            order = "interleaved" if rope.interleaved else "in blocks"
            sections = "/".join(map(str, rope.sections))
            return ", ".join((f"M-RoPE {sections} {order}", *_of_rope(rope.rope)))
        case NoPE():
            return "no position"
    return type(encoding).__name__


def _of_rope(rope: Rope) -> list[str]:
    words = [f"base {grouped(rope.base)}"]
    if rope.share == "proportional":
        words.append(f"{rope.moving_pairs} of {rope.head_dim // 2} pairs of the whole head")
    elif rope.turning < rope.head_dim:
        words.append(f"{rope.turning} of {rope.head_dim} dimensions")
    else:
        words.append(f"all {rope.head_dim} dimensions")
    way = "LongRoPE" if rope.longrope_long else rope.scaling
    if way != "none":
        words.append(f"{way} by {rope.factor:g}")
    if rope.temperature != 1:
        words.append(f"temperature {rope.temperature:.6g}")
    if rope.score_scale != 1:
        words.append(f"scores times {rope.score_scale:.6g}")
    return [*words, f"{rope.pairing} pairs"]


def as_runs(places: Iterable[int]) -> str:
    """Return "0–4, 6–10" for indexes that rise; people read runs, not lists."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in runs)
