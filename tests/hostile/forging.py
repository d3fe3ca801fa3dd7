"""What forgeries are made of: a file of `forgeries/` and what its author could know of a pack.

`python -m tests.hostile.forging FORGERY EXERCISE` prints one as `manage.py grade` takes it, and
`python -m tests.hostile.forging --table` prints what each of them ends as.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quizzes.grader.case_checks import same_call
from quizzes.grader.case_pack import CasePack
from quizzes.grader.job import Job, Run, Sandbox
from quizzes.grader.judge import judge
from quizzes.grader.observation import Leaf, Observation
from quizzes.grader.preparing import draw_cases, prepare
from quizzes.grader.report import Report
from quizzes.grader.sandbox import open_sandbox
from quizzes.grader.wire import DTYPES
from tests.shipped_exercises.folders import SLUGS, definition_of

HERE = Path(__file__).parent
FORGERIES = sorted((HERE / "forgeries").glob("*.py"))
PRELUDE = (HERE / "forger.py").read_text(encoding="utf-8")
CODES = {dtype: code for code, dtype in DTYPES.items()}
SEED = 3


@dataclass(frozen=True, eq=False)
class Target:
    """An exercise's pack, and the labels of the cases whose arguments change with the seed."""

    pack: CasePack
    drawn: frozenset[str]


def aim_at(slug: str, author: Sandbox) -> Target:
    """A pack with the other conventions of the exercise only: the rest takes minutes."""
    whole = definition_of(slug)
    conventions = {name: wrong for name, wrong in whole.wrong.items() if wrong.kind == "convention"}
    definition = replace(whole, wrong=conventions)
    others = {case.label: case for case in draw_cases(definition, author, SEED + 1)}
    pack = prepare(definition, author, seed=SEED)
    fixed = {
        case.label
        for case in pack.cases
        if case.label in others and same_call(case, others[case.label])
    }
    return Target(pack, frozenset(case.label for case in pack.cases) - fixed)


def forgery(path: Path, target: Target) -> str:
    """The submission: all that can be known, the prelude, the attack."""
    text = path.read_text(encoding="utf-8")
    known = knowledge(target, arrays=tags(path).get("KNOWS") == "arrays")
    return PRELUDE.replace("@EXERCISE@", json.dumps(known)) + "\n" + text


def tags(path: Path) -> dict[str, str]:
    """The `# FAMILY:` and other lines at the top of a forgery."""
    return dict(re.findall(r"^# ([A-Z]+): *(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def knowledge(target: Target, *, arrays: bool) -> dict[str, Any]:
    """What the author of a forgery could know of an exercise, as JSON."""
    pack = target.pack.keep([not case.spare for case in target.pack.cases])
    both = zip(pack.cases, pack.expected, strict=True)
    return {
        "name": pack.entry.name,
        "kind": pack.entry.kind,
        "library": pack.entry.library,
        "cases": [
            {
                "index": place,
                "label": case.label,
                "probe": case.probe,
                "shown": case.shown,
                "raises": case.raises,
                "leaves": _leaves(expected, arrays=arrays and case.label not in target.drawn),
            }
            for place, (case, expected) in enumerate(both)
        ],
        "conventions": _conventions(pack) if arrays else {},
    }


def _conventions(pack: CasePack) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """By name of a convention: its leaves on the fixed cases, by label."""
    labels = [case.label for case in pack.identify.cases]
    return {
        variant.mistake.slug: {
            label: _leaves(seen, arrays=True)
            for label, seen in zip(labels, variant.observations, strict=True)
        }
        for variant in pack.identify.variants
    }


def _leaves(seen: Observation, *, arrays: bool) -> list[dict[str, Any]]:
    told = []
    for key, leaf in seen.leaves.items():
        kept = arrays or not key.startswith("out")
        told.append({"key": key, "values": _text(leaf) if kept else None, **_described(leaf)})
    return told


def _described(leaf: Leaf) -> Mapping[str, Any]:
    code = "f8" if leaf.values is None else CODES[leaf.values.dtype]
    said = {"kind": leaf.kind, "type": leaf.type, "dtype": leaf.dtype, "length": leaf.length}
    return {**said, "shape": list(leaf.shape), "code": code}


def _text(leaf: Leaf) -> str | None:
    return None if leaf.values is None else base64.b64encode(leaf.values.tobytes()).decode()


class Recording:
    """A sandbox that remembers what the first run of a grading printed."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.printed: str | None = None

    def run(self, job: Job) -> Run:
        run = self.sandbox.run(job)
        if self.printed is None:
            self.printed = run.stdout.decode(errors="replace")
        return run


def graded(path: Path, target: Target, student: Sandbox) -> tuple[Report, str]:
    """The report of a forgery, and what it printed."""
    recording = Recording(student)
    report = judge(target.pack, forgery(path, target), recording)
    return report, recording.printed or ""


@contextmanager
def both_sandboxes() -> Iterator[tuple[Sandbox, Sandbox]]:
    """The authors' and the students'."""
    with open_sandbox("author") as author, open_sandbox("student") as student:
        yield author, student


def table() -> Iterator[str]:
    """One line a forgery: how many exercises end with which verdict."""
    with both_sandboxes() as (author, student):
        targets = [aim_at(slug, author) for slug in SLUGS]
        for path in FORGERIES:
            ends = Counter(_ending(path, target, student) for target in targets)
            said = ", ".join(f"{count} {word}" for word, count in ends.most_common())
            yield f"{path.stem:<24} {said}"


def _ending(path: Path, target: Target, student: Sandbox) -> str:
    try:
        return str(graded(path, target, student)[0].verdict)
    except Exception as error:
        return f"the judge raised {type(error).__name__}"


def main() -> None:
    """Print the table, or one forgery."""
    if sys.argv[1:] == ["--table"]:
        for line in table():
            print(line, flush=True)
        return
    name, slug = sys.argv[1:]
    with both_sandboxes() as (author, _):
        print(forgery(HERE / "forgeries" / f"{name}.py", aim_at(slug, author)))


if __name__ == "__main__":
    main()
