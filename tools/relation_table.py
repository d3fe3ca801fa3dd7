"""Print how many wrong and right programs get a relation: a table of docs/verdicts.md.

Usage: python tools/relation_table.py [--list] [EXERCISE ...]

Every file of `wrong/` and every right program of the tests is run on all cases, and its results are
compared with the expected ones as if no mistake had a name. --list prints each sentence.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from quizzes.grader.judge.relations.rules import find_relation  # noqa: E402
from quizzes.grader.protocol.job import Job  # noqa: E402
from quizzes.grader.protocol.read_results import read_run  # noqa: E402
from tests.shared_sandboxes import shared_pack, shared_sandbox  # noqa: E402
from tests.shipped_exercises.folders import SLUGS  # noqa: E402
from tests.shipped_exercises.programs import right_codes, wrong_codes  # noqa: E402


def relation_of(slug: str, code: str) -> str:
    """Return what a relation says of a program's results on all cases that are graded."""
    pack = shared_pack(slug)
    pack = pack.keep([case.graded for case in pack.cases])
    entry = pack.entry
    job = Job(code, entry.name, pack.cases, entry.library, 1, entry.limits, below=entry.below)
    observed = read_run(shared_sandbox("student").run(job), pack.cases, job.paired_calls)
    return find_relation(pack, observed.observations, range(len(pack.cases)))


KINDS = (
    ("known mistakes with a relation", wrong_codes),
    ("right programs with a relation", right_codes),
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exercise", nargs="*", default=SLUGS)
    parser.add_argument("--list", action="store_true", help="each program and its sentence")
    options = parser.parse_args()
    for title, codes in KINDS:
        said = [
            (slug, name, relation_of(slug, code))
            for slug in options.exercise
            for name, code in codes(slug)
        ]
        if options.list:
            print("\n".join(f"{slug}/{name}: {words or '-'}" for slug, name, words in said))
        print(f"| {title} | {sum(bool(words) for *_, words in said)} of {len(said)} |", flush=True)


if __name__ == "__main__":
    main()
