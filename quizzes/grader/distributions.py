"""Which files on this machine belong to an installed distribution and to what it requires."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from quizzes.grader.errors import SandboxUnavailable

_REQUIREMENT_NAME = re.compile(r"\A\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)")


def import_roots(names: Iterable[str]) -> dict[str, Path]:
    """Top-level packages, modules and library folders of the distributions' closure.

    Maps the name beside which they are importable to their place here, for example
    `numpy` and `numpy.libs`. Raises SandboxUnavailable when a distribution is not installed.
    """
    roots: dict[str, Path] = {}
    for name in sorted(closure(names)):
        roots.update(_roots_of(metadata.distribution(name)))
    return roots


def is_installed(name: str) -> bool:
    """Whether a distribution is there."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def closure(names: Iterable[str]) -> set[str]:
    """The distributions and everything they require here, by normalised name."""
    waiting, found = list(names), set()
    while waiting:
        name = _normalise(waiting.pop())
        if name in found:
            continue
        if not is_installed(name):
            raise SandboxUnavailable(
                f"The distribution {name} is not installed.",
                "Install the requirements into this environment: `make`.",
            )
        found.add(name)
        waiting += _installed_requirements(metadata.distribution(name).requires or [])
    return found


def _installed_requirements(requirements: Iterable[str]) -> Iterator[str]:
    """Names of the requirements that are present; extras and other systems' ones are not."""
    for requirement in requirements:
        match = _REQUIREMENT_NAME.match(requirement)
        if match is None or "extra ==" in requirement:
            continue
        if is_installed(match["name"]):
            yield match["name"]


def _roots_of(distribution: metadata.Distribution) -> dict[str, Path]:
    tops = {
        file.parts[0]
        for file in distribution.files or []
        if file.parts[0] not in ("..", "__pycache__") and not _is_metadata(file.parts[0])
    }
    roots = {top: Path(str(distribution.locate_file(top))) for top in tops}
    return roots or _editable_roots(distribution)


def _is_metadata(top: str) -> bool:
    return top.endswith((".dist-info", ".egg-info", ".pth")) or top.startswith("__editable__")


def _editable_roots(distribution: metadata.Distribution) -> dict[str, Path]:
    """An editable installation lists no package files; the import system knows where they are."""
    name = _normalise(distribution.metadata["Name"]).replace("-", "_")
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return {}
    return {name: Path(next(iter(spec.submodule_search_locations)))}


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
