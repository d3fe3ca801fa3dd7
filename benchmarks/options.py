"""The arguments that every benchmark takes, and how it ends.

A full run is compared with its goals. --quick looks within about a minute. --smoke takes the
smallest measurement that there is: a number comes out, and its size means nothing.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

Sizes = TypeVar("Sizes")


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with --quick, --smoke and --json; `doc` is the docstring of the program."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    run = parser.add_mutually_exclusive_group()
    run.add_argument(
        "--quick", dest="run", action="store_const", const="quick", help="within about a minute"
    )
    run.add_argument(
        "--smoke", dest="run", action="store_const", const="smoke", help="one small measurement"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers here as well")
    parser.set_defaults(run="full")
    return parser


def sizes_of(options: argparse.Namespace, *, full: Sizes, quick: Sizes, smoke: Sizes) -> Sizes:
    """Return what this run measures."""
    return {"full": full, "quick": quick, "smoke": smoke}[options.run]


def end(options: argparse.Namespace, numbers: Any, missed: Sequence[str]) -> int:
    """Write the numbers where --json asks for them, and return the exit code.

    It is 1 where a full run missed a goal: a shorter one says so and proves nothing.
    """
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    return 1 if missed and options.run == "full" else 0
