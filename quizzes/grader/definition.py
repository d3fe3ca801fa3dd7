"""An exercise as its author wrote it: the folder's files, read and checked, nothing executed.

Authors' Python (`reference.py`, `cases.py`, `wrong/*.py`) is text here. It runs in the author
sandbox only, see `preparing`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quizzes.content_files.errors import RefusedFileError
from quizzes.content_files.plain_file import list_folder, read_plain_text
from quizzes.grader.case_pack import SAME_DTYPE
from quizzes.grader.errors import DefinitionError
from quizzes.grader.job import Limits
from quizzes.grader.tolerance import Tolerance
from quizzes.grader.wrong import WrongSolution, read_wrong
from quizzes.grader.yaml_fields import Fields, read_fields

MAX_FILE_BYTES = 128 << 10
MAX_FILES = 128
REQUIRED = ("exercise.yaml", "statement.md", "starter.py", "reference.py", "cases.py")
SUFFIXES = (".yaml", ".md", ".py")
WRONG = "wrong"
LEAST_SPEED, MOST_SPEED = 5, 1000  # a busy machine makes a right solution two or three times slower
DTYPES = ("float16", "float32", "float64", "int32", "int64", "bool", "complex64", "complex128")
_STEP = re.compile(r"\A[a-z0-9-]+/[a-z0-9-]+\Z")


@dataclass(frozen=True)
class ExerciseDefinition:
    """One exercise; `wrong` maps the slug of each known-wrong variant to its solution.

    `speed_at_most`: how many times the reference's time code may take; None where time does not
    count.
    """

    slug: str
    title: str
    name: str
    kind: str
    library: str
    signature: str
    returns: str
    dtypes: tuple[str, ...]
    tolerance: Tolerance
    limits: Limits
    speed_at_most: float | None
    step: str | None
    hints: tuple[str, ...]
    statement: str
    starter: str
    reference: str
    cases: str
    wrong: Mapping[str, WrongSolution]
    content_hash: str


def read_folder(path: Path, *, root: Path | None = None) -> dict[str, str]:
    """The text files of an exercise folder by relative name; raises DefinitionError.

    Only the kinds of file that make an exercise are read. `root`: the course, which no link may
    leave; the exercise's folder itself where there is none around it.
    """
    root = root or path.resolve()
    try:
        if not path.is_dir():
            raise DefinitionError(str(path), 1, "is not a folder")
        found = [file for file in _entries(path, root) if _is_read(file.relative_to(path))]
    except OSError as error:
        raise DefinitionError(str(path), 1, f"cannot be read: {error.strerror}") from error
    if len(found) > MAX_FILES:
        raise DefinitionError(str(path), 1, f"has {len(found)} files, expected at most {MAX_FILES}")
    return {file.relative_to(path).as_posix(): _read_text(file, path, root) for file in found}


def read_definition(slug: str, files: Mapping[str, str]) -> ExerciseDefinition:
    """The exercise that these files describe; raises DefinitionError naming file and line."""
    for name in REQUIRED:
        if not files.get(name, "").strip():
            raise DefinitionError(name, 1, "is missing or empty")
    texts = {name: _normalised(text) for name, text in files.items()}
    variants = [
        read_wrong(name, texts[name]) for name in sorted(texts) if name.startswith("wrong/")
    ]
    fields = read_fields("exercise.yaml", texts["exercise.yaml"])
    definition = ExerciseDefinition(
        slug=slug,
        title=fields.text("title"),
        name=_read_name(fields),
        kind=fields.choice("kind", ("function", "module")),
        library=fields.choice("library", ("numpy", "torch")),
        signature=fields.text("signature"),
        returns=fields.text("returns"),
        dtypes=_read_dtypes(fields),
        tolerance=_read_tolerance(fields.section("tolerance")),
        limits=_read_limits(fields.section("limits")),
        speed_at_most=_read_speed(fields),
        step=_read_step(fields),
        hints=fields.texts("hints", default=()),
        statement=texts["statement.md"],
        starter=texts["starter.py"],
        reference=texts["reference.py"],
        cases=texts["cases.py"],
        wrong={variant.slug: variant for variant in variants},
        content_hash=hash_files(texts),
    )
    fields.finish()
    if definition.kind == "module" and definition.library != "torch":
        raise fields.fault("library", "numpy: a module is a torch.nn.Module, expected torch")
    return definition


def hash_files(files: Mapping[str, str]) -> str:
    """SHA-256 over names and texts, the same on every system's line endings."""
    digest = hashlib.sha256()
    for name in sorted(files):
        text = _normalised(files[name]).encode()
        digest.update(f"{name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


def _entries(path: Path, root: Path) -> list[Path]:
    """What stands in an exercise's folder and in `wrong/` of it."""
    return [*_list(path, path, root), *_list(path / WRONG, path, root)]


def _list(folder: Path, path: Path, root: Path) -> list[Path]:
    try:
        return list_folder(folder, root=root)
    except RefusedFileError as error:
        name = folder.relative_to(path).as_posix()
        raise DefinitionError(name, error.line, error.message) from error


def _is_read(name: Path) -> bool:
    if name.parent == Path(WRONG):
        return name.suffix == ".py"
    return name.suffix in SUFFIXES and len(name.parts) == 1


def _read_text(file: Path, path: Path, root: Path) -> str:
    try:
        return read_plain_text(file, root=root, max_bytes=MAX_FILE_BYTES)
    except RefusedFileError as error:
        name = file.relative_to(path).as_posix()
        raise DefinitionError(name, error.line, error.message) from error


def _normalised(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_name(fields: Fields) -> str:
    name = fields.text("name")
    if not name.isidentifier():
        raise fields.fault("name", f"{name!r}: expected a Python name")
    if name not in fields.text("signature"):
        raise fields.fault("signature", f"expected to mention {name}")
    return name


def _read_dtypes(fields: Fields) -> tuple[str, ...]:
    dtypes = fields.texts("dtypes")
    for dtype in dtypes:
        if dtype not in (*DTYPES, SAME_DTYPE):
            known = ", ".join((*DTYPES, SAME_DTYPE))
            raise fields.fault("dtypes", f"{dtype!r}: expected some of {known}")
    return dtypes


def _read_step(fields: Fields) -> str | None:
    step = fields.text("step", default="")
    if step and not _STEP.match(step):
        raise fields.fault("step", f"{step!r}: expected lesson/step")
    return step or None


def _read_tolerance(fields: Fields) -> Tolerance:
    tolerance = Tolerance(
        rtol=fields.number("rtol", 0, 0.1, default=0),
        atol=fields.number("atol", 0, 1e6, default=0),
        relative_to_max=fields.number("relative_to_max", 0, 0.1, default=0),
        why=fields.text("why"),
    )
    fields.finish()
    return tolerance


def _read_limits(fields: Fields) -> Limits:
    limits = Limits(
        wall_seconds=fields.number("wall_seconds", 0.1, 10, default=Limits.wall_seconds),
        memory_mb=int(fields.number("memory_mb", 16, 4096, default=Limits.memory_mb)),
    )
    fields.finish()
    return limits


def _read_speed(fields: Fields) -> float | None:
    speed = fields.section("speed")
    if not fields.has("speed"):
        return None
    at_most = speed.number("at_most", LEAST_SPEED, MOST_SPEED)
    speed.finish()
    return at_most
