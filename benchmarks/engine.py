"""How fast and how exact the engine is in torch, on the CPU, without gradients.

Usage: python benchmarks/engine.py [--quick | --smoke] [--busy] [--json FILE]
Prints tables in Markdown; --json writes the same numbers for programs. It makes arrays of up to
256 MB in a minute, with --quick up to 16 MB in a quarter of one; --smoke makes one small array.

Sinusoidal tables (L, d_model 512); RoPE on queries (1, 8, L, 64), with the cosines and sines of
their positions given, as once for all layers of a model; the biases (8, L, L) of T5 and ALiBi. Each
call is measured right after one like it, and the best time counts. `copy` is a warm copy of the
same bytes into existing memory. Accuracy is the largest error of float32 sines and cosines against
50 digits. --busy is for a machine that does other things: one thread, and its processor time
instead of the time on the wall.

Goal: errors of at most 3.1e-8 up to position 1 000 000.
"""

import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402

KEPT = 31 * 2**20  # bytes; malloc of glibc learns from blocks of less than 32 MB
FARTHEST = (1000, 10_000, 100_000, 1_000_000)
D_MODEL = 512
GOAL = 3.1e-8  # half a unit in the last place below 1.0, and a little
Call = Callable[[], Any]


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--busy", action="store_true", help="one thread, processor time")
    options = parser.parse_args()
    import torch

    clock = time.perf_counter
    if options.busy:
        torch.set_num_threads(1)
        clock = time.thread_time
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {os.cpu_count()} cores\n")
    most, seconds = sizes_of(options, full=(2**28, 0.5), quick=(2**24, 0.25), smoke=(2**16, 0.01))
    times = []
    print("| what | array | MB | ms | times a copy |\n| --- | --- | --: | --: | --: |")
    with torch.inference_mode():
        # Freed at once: from then on malloc keeps such blocks for the next call, as in a process
        # that runs a model. Otherwise the first sizes meet new pages.
        torch.empty(KEPT, dtype=torch.uint8)
        for what, call in _calls(most):
            array = call()
            took = best_of(call, seconds, clock)
            copy = best_of(_copy_of(array), seconds, clock)
            size = f"{' x '.join(map(str, array.shape))}, {str(array.dtype)[6:]}"
            row = {"what": what, "array": size, "ms": 1000 * took, "copies": took / copy}
            megabytes = f"{array.nbytes / 2**20:.3g}"
            print(f"| {what} | {size} | {megabytes} | {row['ms']:.3g} | {row['copies']:.1f} |")
            times.append(row)
        errors = accuracy(count=sizes_of(options, full=64, quick=8, smoke=2))
    print("\n| largest error of float32, positions below |", *(f"{far} |" for far in FARTHEST))
    print("| --- |", *["--: |"] * len(FARTHEST))
    for name, worst in errors.items():
        print(f"| {name} |", *(f"{error:.1e} |" for error in worst))
    missed = [name for name, worst in errors.items() if "posenc" in name and max(worst) > GOAL]
    print(f"\nAt most {GOAL:g} up to position 1 000 000: {'MISSED' if missed else 'met'}.")
    machine = {"cores": os.cpu_count(), "system": platform.platform(), "torch": torch.__version__}
    return end(options, {"machine": machine, "times": times, "errors": errors}, missed)


def _calls(most: int) -> Iterator[tuple[str, Call]]:
    """Yield what is made and a function that makes it, in arrays of up to so many bytes."""
    import torch
    from posenc.catalog.alibi import Alibi
    from posenc.catalog.rope import Rope
    from posenc.catalog.sinusoidal import Sinusoidal
    from posenc.catalog.t5_bias import T5Bias

    table, alibi, t5 = Sinusoidal(d_model=D_MODEL), Alibi(n_heads=8), T5Bias(n_heads=8)
    adjacent, half = Rope(head_dim=64), Rope(head_dim=64, pairing="half-split")
    for dtype in (torch.float32, torch.bfloat16):
        learned = {"table": torch.randn(32, 8).to(dtype)}
        for length in (1 << bits for bits in range(5, 20, 3)):
            at = torch.arange(length)
            if length * D_MODEL * dtype.itemsize <= most:
                yield "sinusoidal table", partial(table.table, length, xp=torch, dtype=dtype)
                q = torch.randn(1, 8, length, 64).to(dtype)
                waves = adjacent.waves(at, like=q)
                yield "RoPE, adjacent", partial(adjacent.turn, q, *waves)
                yield "RoPE, half-split", partial(half.turn, q, *waves)
            if 8 * length**2 * dtype.itemsize <= most:
                yield "T5 bias", partial(t5.bias, at, at, learned, dtype=dtype)
                yield "ALiBi bias", partial(alibi.bias, at, at, dtype=dtype)


def _copy_of(array: Any) -> Call:
    target = array.new_zeros(array.shape)
    return lambda: target.copy_(array)


def best_of(call: Call, seconds: float, clock: Callable[[], float]) -> float:
    """Return the least seconds of a call, of as many as fit, each measured right after another."""
    best, stop = math.inf, time.perf_counter() + seconds
    while math.isinf(best) or time.perf_counter() < stop:
        call()
        start = clock()
        result = call()
        best = min(best, clock() - start)
        del result  # given back outside of the measured time
    return best


def accuracy(*, count: int) -> dict[str, list[float]]:
    """Return the largest error up to each of FARTHEST, by code, over `count` positions."""
    import mpmath
    import numpy as np

    def true_waves(position: int) -> list[tuple[float, float]]:
        with mpmath.workdps(50):
            angles = (
                position * mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / D_MODEL)
                for i in range(D_MODEL // 2)
            )
            return [(float(mpmath.sin(angle)), float(mpmath.cos(angle))) for angle in angles]

    rng, errors = np.random.default_rng(0), {name: [0.0] for name in CODES}
    for farthest in FARTHEST:
        drawn = rng.integers(farthest // 2, farthest, size=count - 1)
        positions = np.unique([*drawn, farthest - 1])
        truth = np.array([true_waves(int(position)) for position in positions])
        for name, code in CODES.items():
            waves = code(positions).double().numpy().reshape(truth.shape)
            errors[name].append(max(float(np.abs(waves - truth).max()), errors[name][-1]))
    return {name: worst[1:] for name, worst in errors.items()}


def _encoded(positions: Any) -> Any:
    import torch
    from posenc.catalog.sinusoidal import Sinusoidal

    return Sinusoidal(d_model=D_MODEL).encode(torch.from_numpy(positions), dtype=torch.float32)


def _rows_of_a_table(positions: Any) -> Any:
    import torch
    from posenc.catalog.sinusoidal import Sinusoidal

    first, last = int(positions.min()), int(positions.max())
    table = Sinusoidal(d_model=D_MODEL).table(
        last + 1 - first, start=first, xp=torch, dtype=torch.float32
    )
    return table[torch.from_numpy(positions) - first]


def _plain(positions: Any) -> Any:
    """Return sines and cosines by the code of most tutorials."""
    import torch

    inv_freq = 10_000 ** (-torch.arange(0, D_MODEL, 2).float() / D_MODEL)
    angles = torch.from_numpy(positions).float()[:, None] * inv_freq
    return torch.stack([angles.sin(), angles.cos()], dim=-1)


CODES = {
    "posenc, `encode`": _encoded,
    "posenc, `table`": _rows_of_a_table,
    "plain float32": _plain,
}


if __name__ == "__main__":
    sys.exit(main())
