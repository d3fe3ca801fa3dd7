"""Everything that is installed has one exact version, written down."""

import re
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = [
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-torch.txt",
]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[a-z0-9,-]+\])?==([0-9][A-Za-z0-9.]*)$")
INDEX_HOSTS = (
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "download.pytorch" + ".org",
)


def pins(path: Path) -> dict[str, str]:
    """Return name -> version of a requirements file; an unpinned line is an error."""
    found = {}
    for line in path.read_text().splitlines():
        if not line or line.startswith(("#", "-e ./", "-r ", "-c ")):
            continue
        match = PINNED.match(line)
        assert match, f"{path.name}: {line!r} is not pinned to one version"
        found[canonical(match[1])] = match[2]
    return found


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_is_pinned(name: str) -> None:
    assert pins(ROOT / name)


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_requirements_agree_with_the_constraints(name: str) -> None:
    constraints = pins(ROOT / "tools" / "constraints.txt")
    different = {
        package: (version, constraints.get(package))
        for package, version in pins(ROOT / name).items()
        if constraints.get(package) != version
    }
    assert not different


def test_nothing_is_installed_that_no_constraint_names() -> None:
    """What our requirements bring along is pinned too, or tomorrow's release can break today's."""
    constraints = pins(ROOT / "tools" / "constraints.txt")
    installed = {canonical(found.metadata["Name"]): found.version for found in distributions()}
    ours = {"posenc", "torch"}
    from_torch = ("nvidia-", "cuda-", "triton")
    loose = {
        name: version
        for name, version in installed.items()
        if name not in ours and not name.startswith(from_torch) and constraints.get(name) != version
    }
    assert not loose


def test_torch_is_pinned_exactly_and_only_in_its_own_file() -> None:
    assert (ROOT / "requirements-torch.txt").read_text().split() == ["torch==2.13.0"]
    assert "torch" not in pins(ROOT / "requirements.txt")


def test_package_indexes_are_named_in_the_makefile_alone() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    offenders = []
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if not name or not path.is_file() or path.suffix in {".npz", ".woff2", ".png", ".webp"}:
            continue
        text = path.read_text(errors="replace")
        offenders += [f"{name}: {host}" for host in INDEX_HOSTS if host in text]
    assert offenders == [f"Makefile: {INDEX_HOSTS[3]}"]
