"""Ask whether anything that is installed has a known fault; `make audit` calls it.

pip-audit, in an environment of its own, asks a public service about every pinned version, so the
network is needed. Exit 1: a fault is known; 2: nobody could be asked, which says nothing.
Vendored files of the browser are not asked about: they are compared with their hashes by the gate,
and `static/vendor/*/manifest.json` has their versions.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".venv-audit"
REQUIREMENTS = ROOT / "requirements-audit.txt"
PINNED = ROOT / "tools" / "constraints.txt"
TORCH = ROOT / "requirements-torch.txt"
VULNERABLE, UNKNOWN = 1, 2


def installed() -> Path:
    """Return pip-audit, which the first run installs."""
    program, stamp = HOME / "bin" / "pip-audit", HOME / "requirements-audit.txt"
    if program.is_file() and stamp.is_file() and stamp.read_text() == REQUIREMENTS.read_text():
        return program
    print("[ordinal] installing pip-audit into .venv-audit/", flush=True)
    venv.create(HOME, with_pip=True, clear=True)
    pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "-qq", "-r", str(REQUIREMENTS)]
    if subprocess.run(pip, check=False).returncode:
        raise SystemExit("[ordinal] pip-audit could not be installed: nothing was audited")
    stamp.write_text(REQUIREMENTS.read_text())
    return program


def read_report(text: str) -> tuple[list[str], int, list[str]]:
    """Return the faults that are known, how many versions were looked up, and which were not."""
    faults, looked_up, skipped = [], 0, []
    for one in json.loads(text)["dependencies"]:
        if "skip_reason" in one:
            skipped.append(str(one["name"]))
            continue
        looked_up += 1
        for fault in one["vulns"]:
            fixed = ", ".join(fault["fix_versions"]) or "no version yet"
            faults.append(f"{one['name']} {one['version']}: {fault['id']}, fixed in {fixed}")
    return faults, looked_up, skipped


def main() -> int:
    """Audit every pinned version; print what is known."""
    files = [argument for path in (PINNED, TORCH) for argument in ("-r", str(path))]
    quiet = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    run = subprocess.run(
        [str(installed()), *quiet, *files], check=False, capture_output=True, text=True
    )
    try:
        faults, looked_up, skipped = read_report(run.stdout)
    except ValueError:
        last = run.stderr.strip().splitlines()[-1:] or ["pip-audit said nothing"]
        raise SystemExit(
            f"[ordinal] no vulnerability service answered, so nothing is known: {last[0]}"
        ) from None
    for fault in faults:
        print(fault)
    print(f"[ordinal] {looked_up} versions looked up, {len(faults)} vulnerabilities known")
    if faults:
        return VULNERABLE
    if skipped:
        names = ", ".join(skipped[:5])
        raise SystemExit(f"[ordinal] {len(skipped)} could not be looked up, such as {names}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SystemExit as stopped:
        if isinstance(stopped.code, str):
            print(stopped.code, file=sys.stderr)
            sys.exit(UNKNOWN)
        raise
