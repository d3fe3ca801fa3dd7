"""Looking for the place where a wrong program leaves the right ones, on one case or two.

The program runs again with more values of each expression recorded than an X-ray shows: a loop's
numbers are one array of a right solution. On a second case that learners see, the place must not be
right; else it was an accident of the first.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.grader.judge.case_pack import EntryPoint
from quizzes.grader.programs.xray.first_difference import (
    FirstDifference,
    find_first_difference,
    may_be_right_at,
)
from quizzes.grader.programs.xray.recorded_tree import RecordedProgram
from quizzes.grader.programs.xray.right_solutions import (
    MOST_VALUES,
    RightRun,
    RightSolutions,
    has_wrong_values,
    record_job,
)
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.observation import Observation
from quizzes.grader.protocol.recording import Recording, read_recording

LONG = 0.5  # seconds; a program that takes more is not run again
MOST_BUSY = 1.0  # seconds of all programs, before they run on a second case


@dataclass
class PlaceSearch:
    """One search. `seconds`: what the program took in it; `busy`: without waiting."""

    source: str
    entry: EntryPoint
    student: Sandbox
    solutions: RightSolutions
    seconds: float = 0.0
    busy: float = 0.0

    def find(self, right: RightRun, others: Sequence[Case] = ()) -> FirstDifference | None:
        """Return the place on the case of a run; `others`: of which one may speak against it.

        Raises SandboxBroken and MachineTooBusy.
        """
        observation, recording = self.record(right.case)
        if not has_wrong_values(observation, right.observation, self.entry):
            return None
        program = RecordedProgram(self.source, recording)
        difference = find_first_difference(program, right.programs, right.case, right.results())
        if difference is None or not others:
            return difference
        second = self._run_right(others[0])
        if second is None:
            return None
        _, recording = self.record(second.case)
        place, case = difference.place, second.case
        is_accident = may_be_right_at(place, recording, second.programs, case)
        return None if is_accident else difference

    def _run_right(self, case: Case) -> RightRun | None:
        """Run right solutions on a second case, unless too much was run already."""
        is_much = self.busy + self.solutions.busy > MOST_BUSY
        return None if is_much else self.solutions.run(case)

    def record(self, case: Case) -> tuple[Observation | None, Recording]:
        """Run the program on a case; return what came of it and what its expressions were."""
        seed = secrets.randbits(31)
        job = record_job(self.source, case, self.entry, seed=seed, most_values=MOST_VALUES)
        run = self.student.run(job)
        self.busy += run.seconds
        self.seconds += run.seconds + run.waited
        observed, recording = read_recording(run, case, self.source)
        return observed.observations[0], recording
