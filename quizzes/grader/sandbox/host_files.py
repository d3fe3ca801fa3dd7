"""Which files of this machine the sandbox sees: the interpreter's, and those of distributions.

Found at run time and never written down. A system interpreter, one under /usr/local or a user's
home, and a copied one are all the same here: the executable, its ELF loader, its standard library,
and the folders of the shared libraries that this very process has mapped. A folder that holds more
than libraries is not taken whole: what is bound for a fork server is what submitted code may read,
and a `site-packages` would be Django, the database's driver and this project.

Of packages, those that a profile names and what they require here, each bound by itself.
"""

from __future__ import annotations

import importlib.util
import os
import re
import struct
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from quizzes.grader.errors import SandboxUnavailable

_PROGRAM_HEADER_INTERPRETER = 3
_REQUIREMENT_NAME = re.compile(r"\A\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)")


@dataclass(frozen=True)
class Interpreter:
    """Files to bind. `hidden` are folders inside the standard library to be covered up."""

    executable: Path
    loader: Path
    standard_library: Path
    library_folders: tuple[Path, ...]
    library_files: tuple[Path, ...]
    hidden: tuple[Path, ...]


def find_interpreter() -> Interpreter:
    """Return the interpreter below any virtual environment; raises SandboxUnavailable."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    standard_library = Path(sysconfig.get_path("stdlib")).resolve()
    if not standard_library.joinpath("os.py").is_file():
        raise SandboxUnavailable(
            f"The standard library is not at {standard_library}.",
            "Use an interpreter whose standard library is not packed into an archive.",
        )
    folders, files = _shared_libraries(standard_library)
    packages = [standard_library / name for name in ("site-packages", "dist-packages")]
    return Interpreter(
        executable=executable,
        loader=read_elf_loader(executable),
        standard_library=standard_library,
        library_folders=folders,
        library_files=files,
        hidden=tuple(folder for folder in packages if folder.is_dir()),
    )


def read_elf_loader(executable: Path) -> Path:
    """Return the dynamic loader a 64-bit little-endian ELF program asks for (its PT_INTERP)."""
    with executable.open("rb") as file:
        header = file.read(64)
        if header[:6] != b"\x7fELF\x02\x01":
            raise SandboxUnavailable(
                f"{executable} is not a 64-bit little-endian ELF program.",
                "Run the worker with a native Linux interpreter.",
            )
        (start,) = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(start)
        table = file.read(size * count)
        for place in range(count):
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", table, place * size)
            if kind == _PROGRAM_HEADER_INTERPRETER:
                file.seek(offset)
                return Path(os.fsdecode(file.read(length).rstrip(b"\0")))
    raise SandboxUnavailable(
        f"{executable} is linked statically.", "Use a dynamically linked interpreter."
    )


def _shared_libraries(standard_library: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return folders of the mapped libraries; files where the folder holds more than libraries."""
    folders: set[Path] = set()
    files: set[Path] = set()
    for library in _mapped_libraries():
        if any(part in ("site-packages", "dist-packages") for part in library.parts):
            continue  # packages bring their own libraries, see `import_roots`
        if library.is_relative_to(standard_library):
            continue
        if standard_library.is_relative_to(library.parent):
            files.add(library)
        else:
            folders.add(library.parent)
    return tuple(sorted(folders)), tuple(sorted(files))


def _mapped_libraries() -> set[Path]:
    import ctypes  # noqa: F401 - maps libffi, which the harness needs too

    libraries = set()
    for line in Path("/proc/self/maps").read_text().splitlines():
        name = line.partition("/")[2]
        if ".so" in name and not name.endswith("(deleted)"):
            libraries.add(Path("/" + name))
    return libraries


def import_roots(names: Iterable[str]) -> dict[str, Path]:
    """Return top-level packages, modules and library folders of the distributions' closure.

    Maps the name beside which they are importable to their place here, for example
    `numpy` and `numpy.libs`. Raises SandboxUnavailable when a distribution is not installed.
    """
    roots: dict[str, Path] = {}
    for name in sorted(closure(names)):
        roots.update(_roots_of(metadata.distribution(name)))
    return roots


def is_installed(name: str) -> bool:
    """Say whether a distribution is there."""
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def closure(names: Iterable[str]) -> set[str]:
    """Return the distributions and everything they require here, by normalised name."""
    waiting, found = list(names), set()
    while waiting:
        name = _normalise(waiting.pop())
        if name in found:
            continue
        if not is_installed(name):
            raise SandboxUnavailable(
                f"The distribution {name} is not installed.",
                "Run `make` to install the requirements into this environment.",
            )
        found.add(name)
        waiting += _installed_requirements(metadata.distribution(name).requires or [])
    return found


def _installed_requirements(requirements: Iterable[str]) -> Iterator[str]:
    """Yield names of the requirements that are present; extras and other systems' ones are not."""
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
    """Ask the import system where an editable installation is, which lists no package files."""
    name = _normalise(distribution.metadata["Name"]).replace("-", "_")
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return {}
    return {name: Path(next(iter(spec.submodule_search_locations)))}


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
