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
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from quizzes.grader.definitions.case_pack_builder import draw_cases, same_call
from quizzes.grader.judge.case_pack import CasePack, FingerprintSet
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report
from quizzes.grader.protocol.job import Ending, Job, Run, Sandbox
from quizzes.grader.protocol.pairs import calls_of
from quizzes.grader.protocol.wire import DTYPES, Frame
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import SLUGS, definition_of

HERE = Path(__file__).parent
FORGERIES = sorted((HERE / "forgeries").glob("*.py"))
PRELUDE = (HERE / "forger.py").read_text(encoding="utf-8")
CODES = {dtype: code for code, dtype in DTYPES.items()}
SEED = 3


class Recording:
    """A sandbox that remembers the first run of a grading."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.first: Run | None = None

    def run(self, job: Job) -> Run:
        run = self._sandbox.run(job)
        self.first = self.first or run
        return run

    @property
    def frames(self) -> tuple[Frame, ...]:
        return self.first.frames if self.first else ()

    @property
    def printed(self) -> str:
        return self.first.stdout.decode(errors="replace") if self.first else ""


Frames = tuple[Frame, ...]


@dataclass(frozen=True, eq=False)
class Target:
    """An exercise's pack, what its reference sends and what its conventions send, by name.

    `drawn`: the labels of the cases whose arguments change with the seed.
    """

    pack: CasePack
    drawn: frozenset[str]
    frames: Frames
    conventions: Mapping[str, Frames]


@cache
def aim_at(slug: str, author: Sandbox, student: Sandbox) -> Target:
    """A pack that knows, of the mistakes of the exercise, the other conventions only."""
    definition = definition_of(slug)
    others = {case.label: case for case in draw_cases(definition, author, SEED + 1)}
    whole = shared_pack(slug, SEED)
    known = whole.fingerprints
    conventions = tuple(one for one in known.variants if one.mistake.kind == "convention")
    pack = replace(whole, fingerprints=FingerprintSet(known.cases, conventions, known.same_calls))
    fixed = {
        case.label
        for case in pack.cases
        if case.label in others and same_call(case, others[case.label])
    }
    return Target(
        pack,
        frozenset(case.label for case in pack.cases) - fixed,
        _frames_of(pack, definition.reference, student),
        {
            name: _frames_of(pack, wrong.source, student)
            for name, wrong in definition.wrong.items()
            if wrong.kind == "convention"
        },
    )


def _frames_of(pack: CasePack, source: str, student: Sandbox) -> Frames:
    recording = Recording(student)
    grade_code(pack, source, recording)
    assert recording.first is not None
    assert recording.first.ending is Ending.FINISHED
    return recording.frames


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
    known = {case.label for case in pack.cases} - target.drawn if arrays else set()
    told = _leaves(pack, target.frames, known)
    # By another convention no timed result is compared, and a submission has only so much room.
    untimed = known - {case.label for case in pack.cases if case.probe == "time"}
    others = {name: _leaves(pack, frames, untimed) for name, frames in target.conventions.items()}
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
                "leaves": told[case.label],
            }
            for place, case in enumerate(pack.cases)
        ],
        "calls": _calls(pack, target.frames, known),
        "conventions": others if arrays else {},
    }


def _leaves(pack: CasePack, frames: Frames, known: Collection[str]) -> dict[str, list[Any]]:
    """What a run said, by label; results with their numbers where the label is known."""
    told: dict[str, list[Any]] = {}
    for frame in frames:
        if frame.header["kind"] == "case":
            label = pack.cases[frame.header["index"]].label
            entries = frame.header["leaves"]
            told[label] = [_leaf(entry, frame, numbers=label in known) for entry in entries]
    return told


def _calls(pack: CasePack, frames: Frames, known: Collection[str]) -> list[dict[str, Any]]:
    """What a run said of each call of a pair, and the place of its case.

    A look back that saw no change was not sent: it says what the call before it said.
    """
    said = {frame.header["index"]: frame for frame in frames if frame.header["kind"] == "again"}
    calls, by_place = [], {}
    for number, call in enumerate(calls_of(pack.find_pairs(), pack.cases)):
        frame = said[number] if number in said or not call.looks_back else by_place[call.place]
        by_place[call.place] = frame
        numbers = pack.cases[call.place].label in known
        leaves = [_leaf(entry, frame, numbers=numbers) for entry in frame.header["leaves"]]
        calls.append({"place": call.place, "leaves": leaves})
    return calls


def _leaf(entry: Mapping[str, Any], frame: Frame, *, numbers: bool) -> dict[str, Any]:
    array = frame.arrays.get(entry["array"])
    if array is None:
        return {**entry, "code": "f8", "values": None}
    kept = numbers or not entry["key"].startswith(("out", "look."))
    text = base64.b64encode(array.tobytes()).decode() if kept else None
    return {**entry, "code": CODES[array.dtype], "values": text}


def graded(path: Path, target: Target, student: Sandbox) -> tuple[Report, str]:
    """The report of a forgery, and what it printed."""
    recording = Recording(student)
    report = grade_code(target.pack, forgery(path, target), recording)
    return report, recording.printed


def both_sandboxes() -> tuple[Sandbox, Sandbox]:
    """The authors' and the students'."""
    return shared_sandbox("author"), shared_sandbox("student")


def table() -> Iterator[str]:
    """One line a forgery: how many exercises end with which verdict."""
    author, student = both_sandboxes()
    targets = [aim_at(slug, author, student) for slug in SLUGS]
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
    print(forgery(HERE / "forgeries" / f"{name}.py", aim_at(slug, *both_sandboxes())))


if __name__ == "__main__":
    main()
