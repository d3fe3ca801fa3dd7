"""Hooks have one filling each, and docs/architecture.md lists hooks and signal receivers."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quizzes.hooks import Hook, HookError
from tools.hook_table import PAGE, ROOT, hooks, with_table

QUIZZES = ROOT / "quizzes"


def double(number: int) -> int:
    return 2 * number


def test_hook_calls_default_until_filled() -> None:
    hook = Hook(lambda number: number)
    assert hook(3) == 3
    hook.fill(double)
    hook.fill(double)  # a reload of the same module
    assert hook(3) == 6


def test_hook_refuses_second_filling() -> None:
    hook = Hook(double)
    hook.fill(abs)
    with pytest.raises(HookError, match=r"expected one filling, got builtins.abs and .*double"):
        hook.fill(double)
    assert hook(-3) == 3


def test_every_hook_is_filled() -> None:
    assert len(hooks()) == sum(path.read_text().count("\n@Hook\n") for path in modules())
    assert not [hook for hook in hooks() if hook.filling is hook.default]


def test_page_lists_every_hook() -> None:
    text = PAGE.read_text()
    assert with_table(text) == text, "run: .venv/bin/python tools/hook_table.py"


def test_page_lists_every_signal_receiver() -> None:
    table = PAGE.read_text().partition("### Signals")[2].partition("\n## ")[0]
    listed = re.findall(r"`([a-z_.]+\.[a-z_]+)`", table)
    assert sorted(name.rpartition(".")[2] for name in listed) == sorted(receivers())
    for name in listed:
        module, _, function = name.rpartition(".")
        assert f"def {function}(" in (QUIZZES / f"{module.replace('.', '/')}.py").read_text()


def test_signals_come_from_libraries_alone() -> None:
    assert not [path for path in modules() if re.search(r"\bSignal\(", path.read_text())]


def modules() -> list[Path]:
    return [path for path in QUIZZES.rglob("*.py") if "content" not in path.parts]


def receivers() -> Iterator[str]:
    """Yield functions after `@receiver(...)` and first arguments of `connect` in `apps.py`."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.FunctionDef(name=name, decorator_list=[ast.Call(ast.Name("receiver"))]):
                    yield name
                case ast.Call(ast.Attribute(attr="connect"), [ast.Name(name), *_]):
                    if path.name == "apps.py":
                        yield name
