"""Where the running interpreter keeps what it needs: found at run time, never written down.

A system interpreter, one under /usr/local or a user's home, and a copied one are all the same here:
the executable, its ELF loader, its standard library, and the folders of the shared libraries that
this very process has mapped.
"""

from __future__ import annotations

import os
import struct
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from quizzes.grader.errors import SandboxUnavailable

_PROGRAM_HEADER_INTERPRETER = 3


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
    """The interpreter below any virtual environment; raises SandboxUnavailable."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    standard_library = Path(sysconfig.get_path("stdlib")).resolve()
    if not standard_library.joinpath("os.py").is_file():
        raise SandboxUnavailable(
            f"The standard library is not at {standard_library}.",
            "Use an interpreter with an unpacked standard library.",
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
    """The dynamic loader a 64-bit little-endian ELF program asks for (its PT_INTERP)."""
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
    """Folders of the mapped libraries; single files where the folder holds more than libraries."""
    folders: set[Path] = set()
    files: set[Path] = set()
    for library in _mapped_libraries():
        if any(part in ("site-packages", "dist-packages") for part in library.parts):
            continue  # packages bring their own libraries, see `distributions`
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
