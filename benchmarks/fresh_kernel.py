"""The work of nbgrader without its bookkeeping: a fresh Jupyter kernel executes one cell.

The cell holds the submission and, for each shown or hidden call, an assertion on what the same
code gave before; so the comparison flatters the kernel. It runs without a sandbox, in the peers'
environment (requirements-bench.txt).
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.graded_submissions import Latency, latency_of  # noqa: E402
from benchmarks.peers import python_of_peers  # noqa: E402
from quizzes.grader.judge.case_pack import CasePack  # noqa: E402

RACE = """
import json, sys, time
from jupyter_client.manager import start_new_kernel
cell, count = sys.stdin.read(), int(sys.argv[1])
found = []
for number in range(count + 1):  # the first warms the file cache
    started = time.perf_counter()
    manager, client = start_new_kernel(kernel_name="python3")
    reply = client.execute_interactive(cell, output_hook=lambda message: None, timeout=120)
    found.append(time.perf_counter() - started)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    assert reply["content"]["status"] == "ok", reply["content"]
print(json.dumps(found[1:]))
"""


def measure_kernels(pack: CasePack, code: str, count: int) -> Latency:
    """Return the seconds from the start of a kernel to the reply to its cell, `count` times."""
    run = subprocess.run(
        [str(python_of_peers()), "-c", RACE, str(count)],
        input=_cell(pack, code),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if run.returncode:
        raise RuntimeError(f"the kernels did not run:\n{run.stderr[-2000:]}")
    return latency_of(json.loads(run.stdout))


def _cell(pack: CasePack, code: str) -> str:
    """Return the submission followed by its calls with plain arguments, each with an assertion."""
    calls = [_call(pack.entry.name, case) for case in pack.cases if case.graded]
    checks = "\n".join(f"assert {call} is not None" for call in calls if call)
    return f"{code}\n{checks}\n"


def _call(name: str, case: Any) -> str:
    plain = (int, float, bool, str)
    arguments = {**(case.init or {}), **case.kwargs}
    if not all(isinstance(value, plain) for value in arguments.values()):
        return ""
    made = ", ".join(f"{key}={value!r}" for key, value in (case.init or {}).items())
    given = ", ".join(f"{key}={value!r}" for key, value in case.kwargs.items())
    return f"{name}({made})" if case.init is not None else f"{name}({given})"
