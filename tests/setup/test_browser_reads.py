"""Tests in a browser read a page that has arrived."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]
BROWSER = TESTS / "browser.py"
OF_A_DATABASE = {"objects", "_base_manager", "_default_manager"}
IN_A_BROWSER = [
    file
    for file in sorted(TESTS.rglob("*.py"))
    if file != BROWSER and "from playwright" in file.read_text()
]


def reads_at_once(code: str) -> list[int]:
    """Return the lines that call `Locator.all`, which does not wait."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr, node.args) == ("all", [])
        and not OF_A_DATABASE
        & {name.attr for name in ast.walk(node) if isinstance(name, ast.Attribute)}
    ]


def test_elements_come_from_an_arrived_page() -> None:
    assert reads_at_once("links = page.locator('a')\nlinks.all()") == [2]
    faults = {
        str(file): lines for file in IN_A_BROWSER if (lines := reads_at_once(file.read_text()))
    }
    assert IN_A_BROWSER
    assert faults == {}, "use browser.each"


def waits_by_expression(code: str) -> list[int]:
    """Return the lines that wait for a text which is no function.

    A page asks for it again and again by `eval`, which its policy refuses: such a wait ends well
    where it was true at once, and in an error where it was worth waiting.
    """
    return [
        node.lineno
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "wait_for_function"
        and "=>" not in (text := ast.unparse(node.args[0]))
        and text[0] in "f'\""
    ]


def test_pages_wait_for_functions() -> None:
    assert waits_by_expression("page.wait_for_function('document.title')") == [1]
    assert waits_by_expression("page.wait_for_function('() => document.title')") == []
    faults = {
        str(file): lines
        for file in IN_A_BROWSER
        if (lines := waits_by_expression(file.read_text()))
    }
    assert faults == {}
