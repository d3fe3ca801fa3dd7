"""docs/rooms.txt says who imports whom as the code has it, and docs/rooms.svg draws that file."""

from xml.etree import ElementTree

from tools.draw_architecture import DOCS, draw, read_parts, without_shortcuts
from tools.room_imports import imports_between_rooms

AGAIN = "run: .venv/bin/python tools/room_imports.py && .venv/bin/python tools/draw_architecture.py"


def test_the_file_has_the_imports_of_the_code() -> None:
    written = {tuple(line.split(" -> ")) for line in read_parts()["imports"]}
    real = set(imports_between_rooms())
    assert ("study", "learners") in real
    assert not (missing := sorted(real - written)), f"{missing} not in docs/rooms.txt; {AGAIN}"
    assert not (gone := sorted(written - real)), f"{gone} not in the code any more; {AGAIN}"


def test_every_room_has_one_place_and_a_description() -> None:
    parts = read_parts()
    placed = {name for row in parts["places"] for name in row.split()} - {"."}
    described = {line.split(": ")[0] for line in parts["what a room holds"]}
    rooms = {room for edge in imports_between_rooms() for room in edge}
    assert placed == described == rooms


def test_the_drawing_is_the_one_of_the_file() -> None:
    assert (DOCS / "rooms.svg").read_text() == draw(), AGAIN


def test_the_drawing_has_a_box_for_every_room_and_an_arrow_for_every_import_it_shows() -> None:
    parts = read_parts()
    root = ElementTree.fromstring((DOCS / "rooms.svg").read_text())
    names = [text.text for text in root.iter() if text.get("class") == "name"]
    described = [line.split(": ")[0] for line in parts["what a room holds"]]
    assert sorted(names) == sorted(name.removeprefix("grader.") for name in described)
    arrows = [path for path in root.iter() if path.get("marker-end")]
    edges = [(a, b) for a, _, b in map(str.split, parts["imports"])]
    assert len(arrows) == len(without_shortcuts(edges)) > len(names)


def test_an_arrow_is_left_out_only_where_a_longer_way_exists() -> None:
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")]
    assert without_shortcuts(edges) == [("a", "b"), ("b", "c"), ("a", "d")]
