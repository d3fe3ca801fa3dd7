"""How fast and how exact the engine is, beside other people's libraries, in one run.

Usage: python benchmarks/engine.py [--quick | --smoke] [--json FILE] [--alone]
       [--threads N] [--busy]
Prints tables in Markdown; --json writes the same numbers for programs. It races arrays of up to
256 MB in 4 minutes, with --quick up to 32 MB in half a minute. --alone leaves the peers out.
--smoke races one size alone. The
peers (requirements-bench.txt) have an environment of their own, .venv-bench/, which is made when it
is missing. --busy is for a machine that does other things: one thread, and its processor time
instead of the time on the wall.

Measured in torch, on the CPU, without gradients: sinusoidal tables, RoPE on queries, the biases of
T5 and ALiBi; engine_races.py describes each contestant. Contestants take turns, each measured right
after a call like it, and the best time counts. `copy` is a warm copy of the same bytes into
existing memory. Accuracy is the largest error of float32 sines and cosines against 50 digits.

Goals: no slower than the fastest peer at 64 KB and more; RoPE within 4 times the copy; time in
proportion to the size above 1 MB; errors of at most 3.1e-8 up to position 1 000 000. The program
prints a missed goal and does not fail.
"""

import os
import platform
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks import peers  # noqa: E402
from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.racing import COPY, Clock, Race, exponent, markdown, milliseconds, race, size_of  # noqa: E402

KEPT = 31 * 2**20  # bytes; malloc of glibc learns from blocks of less than 32 MB
SECONDS = {"quick": 0.12, "full": 1.5}  # for one size, all contestants together
WITHIN = 4.0  # times the copy, for RoPE
EXPONENTS_FROM = 2**20


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--alone", action="store_true", help="without other people's libraries")
    parser.add_argument("--threads", type=int, help="threads of torch (default: its own choice)")
    parser.add_argument("--busy", action="store_true", help="one thread, processor time")
    options = parser.parse_args()
    options.alone |= options.run == "smoke"
    if not options.alone:
        peers.run_beside_peers()
    import torch

    from benchmarks.engine_accuracy import FARTHEST, GOAL, accuracy

    if options.threads or options.busy:
        torch.set_num_threads(1 if options.busy else options.threads)
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, {os.cpu_count()} cores\n")
    clock = time.thread_time if options.busy else time.perf_counter
    races = []
    for one in _races(options, clock):
        if not races or (one.what, one.dtype) != (races[-1].what, races[-1].dtype):
            print(f"\n### {one.what}, {one.dtype}, milliseconds\n\n{_table([one])}")
        else:
            print(_table([one]).splitlines()[-1])
        sys.stdout.flush()
        races.append(one)
    print(f"\n### Goals\n\n{_goals(races)}")
    with torch.inference_mode():
        count = sizes_of(options, full=64, quick=8, smoke=1)
        errors = accuracy(with_peers=not options.alone, count=count)
    head = [
        "largest error of float32, positions below",
        *(f"{far:,}".replace(",", " ") for far in FARTHEST),
    ]
    rows = [[name, *(f"{error:.1e}" for error in found)] for name, found in errors.items()]
    print(f"\n### Accuracy, d_model 512\n\n{markdown(head, rows)}")
    met = all(max(found) <= GOAL for name, found in errors.items() if name.startswith("posenc"))
    print(f"\nAt most {GOAL:g} up to position 1 000 000: {'met' if met else 'MISSED'}.")
    machine = {
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "torch": torch.__version__,
    }
    numbers = {"machine": machine, "races": [asdict(one) for one in races], "errors": errors}
    return end(options, numbers, [])


def _races(options: Namespace, clock: Clock) -> Iterator[Race]:
    import torch

    from benchmarks import engine_races as races

    kinds = {
        "Sinusoidal table, L x d_model": races.tables,
        "RoPE, L x heads x head_dim": races.rotations,
        "T5 bias, queries x keys x heads": races.t5_biases,
        "ALiBi bias, queries x keys x heads": races.alibi_biases,
    }
    smoke, quick = options.run == "smoke", options.run != "full"
    if smoke:
        kinds = {name: races.t5_biases for name in kinds if name.startswith("T5")}
    else:
        races.has_kernels()  # compiles them, before anything is measured
    with_peers = not options.alone
    with torch.inference_mode():
        # freed at once: from then on malloc keeps such blocks for the next call, as in a process
        # that runs a model. Else the first sizes, and contestants that free more, meet new pages
        torch.empty(KEPT, dtype=torch.uint8)
        for what, sizes in kinds.items():
            for dtype in (torch.float32, torch.bfloat16):
                for size, like, contestants in sizes(dtype, quick):
                    count = like.numel() * like.element_size()
                    if not races.SMALLEST <= count <= races.largest(quick):
                        continue
                    racing = races.copying(like) | contestants(with_peers)
                    seconds = SECONDS["quick" if quick else "full"]
                    took = race(racing, seconds=seconds, least=2, clock=clock, before=races.choose)
                    name = str(dtype).removeprefix("torch.")
                    yield Race(what, size, name, like.numel(), count, took)
                    if smoke:
                        return


def _table(races: list[Race]) -> str:
    names = list(races[0].seconds)
    rows = [
        [one.size, size_of(one.bytes), *(milliseconds(one.seconds[name]) for name in names)]
        for one in races
    ]
    return markdown(["size", "bytes", *names], rows)


def _goals(races: list[Race]) -> str:
    rows = []
    for what, dtype in dict.fromkeys((one.what, one.dtype) for one in races):
        here = [one for one in races if (one.what, one.dtype) == (what, dtype)]
        for name in here[0].ours():
            rows.append([f"{what.partition(',')[0]}, {dtype}", name, *_goal(here, name)])
    head = ["", "contestant", "no slower than the fastest peer", "slowest against it"]
    grown = ["exponent above 1 MB", "the copy's"]
    return markdown([*head, "times the copy", *grown], rows, left=2)


def _goal(races: list[Race], name: str) -> list[str]:
    """Return at how many sizes posenc is no slower, where it is slowest, copies, the exponents."""
    raced = [(one, peer) for one in races if (peer := one.fastest_peer())]
    shares = {one.size: one.seconds[name] / peer[1] for one, peer in raced}
    won, worst = "-", "-"
    if shares:
        won = f"{sum(share <= 1 for share in shares.values())} of {len(shares)}"
        size = max(shares, key=lambda size: shares[size])
        worst = f"{shares[size]:.2f} at {size}"
    copies = sorted(one.seconds[name] / one.seconds[COPY] for one in races)
    large = [one for one in races if one.bytes > EXPONENTS_FROM]
    slopes = (exponent((one.numbers, one.seconds[who]) for one in large) for who in (name, COPY))
    grown = ["-" if slope is None else f"{slope:.2f}" for slope in slopes]
    return [won, worst, f"{copies[0]:.1f} to {copies[-1]:.1f}", *grown]


if __name__ == "__main__":
    sys.exit(main())
