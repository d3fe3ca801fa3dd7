"""The tensors that a fused kernel turns, and the job that describes each.

Shapes: L = tokens, D = columns, P = pairs, 2P <= D; leading axes broadcast.
"""

from struct import Struct
from typing import Any

import torch

from posenc.arrays import may_overlap
from posenc.encoding import Array
from posenc.fused import kernels, team

KERNELS = {
    "adjacent": {
        torch.float32: kernels.turn_adjacent_float32.address,
        torch.bfloat16: kernels.turn_adjacent_bfloat16.address,
    },
    "half-split": {
        torch.float32: kernels.turn_half_split_float32.address,
        torch.bfloat16: kernels.turn_half_split_bfloat16.address,
    },
}
AXES = 4  # batch, head, row, column
WORD = 4  # bytes: bfloat16 is read and written two at a time

_job = Struct(f"{len(kernels.TURN.names)}q").pack
Layout = tuple[int, ...]  # the fields of a job behind the addresses


def turned(x: Array, cos: Array, sin: Array, pairing: str, out: Array | None) -> Array | None:
    """Return x (..., L, D), its first 2P columns turned by cos and sin (..., L, P), or None.

    None means that no kernel applies, or that an argument is wrong: the caller finds out which.
    `out` is written to and returned.
    """
    if not team.can_take(x, cos, sin) or not cos.dtype == sin.dtype == torch.float32:
        return None
    kernel = KERNELS[pairing].get(x.dtype)
    if kernel is None or not (out is None or _is_like(x, out)):
        return None
    made = torch.empty_like(x) if out is None else out
    addresses = x.data_ptr(), made.data_ptr(), cos.data_ptr(), sin.data_ptr()
    if 0 in addresses or (addresses[0] | addresses[1]) % WORD:
        return None
    layout = _in_a_row(x, made, cos, sin)
    if out is not None and not _is_apart(out, x, cos, sin, None if layout is None else addresses):
        return None
    layout = layout or _as_it_lies(x, made, cos, sin, pairing)
    if layout is None:
        return None
    team.run(kernel, _job(*addresses, *layout), x.numel())
    if out is not None:
        torch.autograd.graph.increment_version(out)  # torch did not see it change
    return made


def _in_a_row(x: Array, out: Array, cos: Array, sin: Array) -> Layout | None:
    """Return how one head after the other lies in memory, all with the same waves (L, P)."""
    shape, waves = x.shape, cos.shape
    if len(shape) < 2 or len(waves) != 2 or sin.shape != waves:
        return None
    rows, columns, pairs = shape[-2], shape[-1], waves[1]
    if rows != waves[0] or columns != 2 * pairs or pairs % 2 or not rows * pairs:
        return None
    if not (x.is_contiguous() and out.is_contiguous()):
        return None
    if not (cos.is_contiguous() and sin.is_contiguous()):
        return None
    a_head = rows * columns
    return 1, x.numel() // a_head, rows, pairs, 0, a_head, columns, 0, a_head, columns, 0, 0, pairs


def _as_it_lies(x: Array, out: Array, cos: Array, sin: Array, pairing: str) -> Layout | None:
    """Return how up to four axes lie in memory, and write the columns of x that stay to out."""
    *leading, columns = x.shape
    pairs = cos.shape[-1] if cos.ndim else 0
    if x.ndim > AXES or not x.numel() or not 0 < 2 * pairs <= columns or sin.shape != cos.shape:
        return None
    try:
        cos, sin = cos.expand(*leading, pairs), sin.expand(*leading, pairs)
    except RuntimeError:  # they do not fit
        return None
    before = (0,) * (AXES - x.ndim)
    steps = [(*before, *one.stride()) for one in (x, out, cos, sin)]
    if steps[2] != steps[3] or any(last != 1 for *_, last in steps):
        return None
    if x.dtype == torch.bfloat16:
        parted = pairs % 2 if pairing == "half-split" else 0
        if parted or any(step % 2 for *apart, _ in steps[:2] for step in apart):
            return None
    if 2 * pairs < columns:
        out[..., 2 * pairs :] = x[..., 2 * pairs :]
    sizes = (*(1 for _ in before), *leading, pairs)
    return *sizes, *(step for *apart, _ in steps[:3] for step in apart)


def _is_like(x: Array, out: Any) -> bool:
    """Return whether out has the shape and dtype of x and may be written to, each number once."""
    if type(out) not in team.PLAIN or out.dtype != x.dtype or out.shape != x.shape:
        return False
    if not (out.is_cpu and out.is_contiguous()) or out.requires_grad:
        return False
    return not out.is_inference() or torch.is_inference_mode_enabled()


def _is_apart(
    out: Array, x: Array, cos: Array, sin: Array, addresses: tuple[int, ...] | None
) -> bool:
    """Return whether out has memory of its own; with the addresses of four in a row, quickly."""
    if addresses is None:
        return not any(may_overlap(out, one) for one in (x, cos, sin))
    at_x, begin, at_cos, at_sin = addresses
    end, of_waves = begin + out.nbytes, cos.nbytes
    if at_x < end and begin < at_x + out.nbytes:
        return False
    if at_cos < end and begin < at_cos + of_waves:
        return False
    return not (at_sin < end and begin < at_sin + of_waves)
