"""Run pytest with the options given; what fails beside other tests is tried once more alone.

Most tests here are about processes, browsers and time limits, four at once on two cores: now and
then the machine, not the code, is what fails one of them. A test that fails alone as well is a
failure, and so are more than a few, a crash, a file that is not collected and whatever is found
when fixtures are taken down. What needed a second try is named at the end.
"""

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FEW = 3  # more than that are no accident
# Libraries of numbers would start a thread for each processor, which waits for its next work by
# running on the spot. Next to other lanes, 200 products of matrices of 128 rows took 3.1 s of the
# processor with two threads and 0.03 s with one. All processes that tests start inherit this.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
AGAIN = "ORDINAL_TESTS_AGAIN"  # the tests to try alone, for this program in its second life


@dataclass(eq=False)  # pytest keeps its plugins in sets
class Outcome:
    """A plugin that notes what became of the tests; `beyond` is what no second try can answer."""

    failed: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    beyond: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and report.when == "teardown":
            self.beyond.append(report.nodeid)
        elif report.failed:
            self.failed.add(report.nodeid)
            print(f"\n[ordinal] failed: {report.nodeid}", flush=True)  # its traceback comes last
        elif report.passed and report.when == "call":
            self.passed.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.beyond.append(report.nodeid)

    @pytest.hookimpl(optionalhook=True)  # of xdist
    def pytest_handlecrashitem(self, crashitem: str) -> None:
        self.beyond.append(crashitem)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.shouldstop or session.shouldfail:
            self.beyond.append("the run ended early")


def main(options: list[str]) -> int:
    sys.path[0] = str(Path.cwd())  # as `python -m pytest` has it
    os.environ.update(ONE_THREAD)  # before a library is loaded, which reads it then
    alone = json.loads(os.environ.pop(AGAIN, "[]"))
    if alone:
        return _run_alone(options, alone)
    outcome = Outcome()
    code = pytest.main(options, plugins=[outcome])
    shaky = sorted(outcome.failed)
    if code == pytest.ExitCode.TESTS_FAILED and not outcome.beyond and 0 < len(shaky) <= FEW:
        _say(f"{len(shaky)} failed next to other tests; now running them alone", shaky)
        os.environ[AGAIN] = json.dumps(shaky)
        os.execv(sys.executable, [sys.executable, __file__, *options])
    return int(code)


def _run_alone(options: list[str], tests: list[str]) -> int:
    outcome = Outcome()
    rooms = [option for option in options if not option.startswith("tests")]  # not all of a room
    code = pytest.main([*rooms, "-n", "0", *tests], plugins=[outcome])
    missing = sorted(set(tests) - outcome.passed)  # renamed meanwhile, or skipped
    if code == pytest.ExitCode.OK and missing:
        _say("did not pass alone", missing)
        return int(pytest.ExitCode.TESTS_FAILED)
    if code == pytest.ExitCode.OK:
        _say("FAILED NEXT TO OTHER TESTS, PASSED ALONE. Find out why", tests)
    return int(code)


def _say(what: str, tests: list[str]) -> None:
    print(f"[ordinal] {what}:", *tests, sep="\n[ordinal]   ", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
