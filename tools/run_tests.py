"""Run pytest with the arguments given; what fails beside other tests is tried once more alone.

Most tests here are about processes, browsers and time limits, four at once on two cores: now and
then the machine, not the code, is what fails one of them. A test that fails alone as well is a
failure, and so are more than a few. Whatever needed a second try is named at the end.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

FEW = 3  # more than that are no accident
TESTS_FAILED = 1  # pytest's exit code; every other one but 0 is not about single tests


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="ordinal-tests-") as folder:
        pytest = [sys.executable, "-m", "pytest", "-o", f"cache_dir={folder}", *sys.argv[1:]]
        code = subprocess.run(pytest, check=False).returncode
        failed = _failed(Path(folder))
        if code != TESTS_FAILED or not 0 < len(failed) <= FEW:
            return code
        _say(f"{len(failed)} failed beside other tests; now alone", failed)
        code = subprocess.run([*pytest, "-n", "0", "--last-failed"], check=False).returncode
        if code == 0:
            _say("FAILED BESIDE OTHER TESTS, PASSED ALONE. Look why", failed)
        return code


def _failed(cache: Path) -> list[str]:
    try:
        return sorted(json.loads((cache / "v/cache/lastfailed").read_text()))
    except FileNotFoundError:
        return []


def _say(what: str, tests: list[str]) -> None:
    print(f"[ordinal] {what}:", *tests, sep="\n[ordinal]   ", flush=True)


if __name__ == "__main__":
    sys.exit(main())
