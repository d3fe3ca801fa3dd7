"""Write which room imports which into docs/rooms.txt, as the code has it.

Usage: python tools/room_imports.py, then python tools/draw_architecture.py. A test fails while file
and code differ. A room is posenc, a package of quizzes, or a part of quizzes.grader.
"""

import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ROOT / "docs" / "rooms.txt"
HEADING = "[imports]\n"


def room_of(module: str) -> str:
    """Return the room of a module; the packages `quizzes` and `quizzes.grader` are none."""
    first, *rest = module.split(".")
    if first == "posenc":
        return first
    return ".".join(rest[:2] if rest[:1] == ["grader"] else rest[:1])


def imports_between_rooms() -> list[tuple[str, str]]:
    """Return every pair of rooms of which the first imports the second."""
    graph = grimp.build_graph("quizzes", "posenc", cache_dir=None)
    pairs = {(a, b) for a in graph.modules for b in graph.find_modules_directly_imported_by(a)}
    rooms = {(room_of(importer), room_of(imported)) for importer, imported in pairs}
    return sorted((importer, imported) for importer, imported in rooms if importer != imported)


def main() -> None:
    """Replace the last part of the file."""
    head = ROOMS.read_text().partition(HEADING)[0]
    lines = [f"{importer} -> {imported}\n" for importer, imported in imports_between_rooms()]
    ROOMS.write_text(head + HEADING + "".join(lines))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
