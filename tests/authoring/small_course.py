"""A small copy of the shipped course that has every kind of file, each found by program."""

import re
import shutil
from functools import cache
from pathlib import Path

COURSE = Path(__file__).parents[2] / "quizzes/content/positional-encodings"

FEW = 3  # wrong variants of each exercise, which is read by all of them
ROOMS = ("lessons", "questions", "quizzes", "exercises")


def kind_of(path: Path) -> str:
    """Return the kind of a file or folder: its path, with * for what authors name.

    exercises/rope/wrong/swap.py is an exercises/*/wrong/*.py.
    """
    parts = list(path.relative_to(COURSE).parts)
    if len(parts) > 1:
        parts[1] = f"*{Path(parts[1]).suffix}"
    if len(parts) > 3:
        parts[3] = f"*{Path(parts[3]).suffix}"
    return "/".join(parts)


def kinds() -> dict[str, list[Path]]:
    """Return the paths of the shipped course by kind, the smallest first."""
    found: dict[str, list[Path]] = {}
    for path in sorted(COURSE.rglob("*")):
        if "__pycache__" not in path.parts:
            found.setdefault(kind_of(path), []).append(path)
    return found


@cache
def samples() -> dict[str, Path]:
    """Return one path of each kind, relative to the course, no two in the same item of a room.

    A reader may stop at an item's first fault; so each sample's can be seen beside the others'.
    Those with few items choose first: one exercise alone has a `below.py`.
    """
    taken: set[str] = set()
    chosen = {}
    for kind, paths in sorted(kinds().items(), key=lambda item: len(set(map(_item_of, item[1])))):
        relative = [path.relative_to(COURSE) for path in paths]
        free = [path for path in relative if _item(path) not in taken]
        chosen[kind] = free[0]
        taken.add(_item(free[0]))
    return chosen


def _item_of(path: Path) -> str:
    return _item(path.relative_to(COURSE))


def _item(path: Path) -> str:
    return "/".join(path.parts[:2])


def copy_course(to: Path) -> Path:
    """Copy the items that have samples, and have course.yaml name the lessons among them."""
    for sample in samples().values():
        item = Path(_item(sample))
        if len(item.parts) == 2:
            source = COURSE / item
            target = to / item
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=leave_out_variants)
            else:
                shutil.copy(source, target)
    for name in ("map.yaml", "models.yaml"):
        shutil.copy(COURSE / name, to)
    (to / "course.yaml").write_text(_shortened((COURSE / "course.yaml").read_text(), to))
    return to


def leave_out_variants(folder: str, names: list[str]) -> list[str]:
    """Return the wrong variants that `shutil.copytree` is to ignore."""
    return sorted(names)[FEW:] if folder.endswith("/wrong") else []


def _shortened(text: str, to: Path) -> str:
    there = {path.name for path in (to / "lessons").iterdir()}
    named = re.compile(r"^ *- (\S+)\n", re.MULTILINE)
    return named.sub(lambda found: found[0] if found[1] in there else "", text)
