"""Rooms note things about requests, users and rows only where a class declares them."""

import ast
from collections.abc import Iterator

from django.test import RequestFactory

from quizzes.request_values import RequestValue
from tools.hook_table import ROOT, module_values

# These read names that no class declares, or the attributes of a class of their own.
ALLOWED = {"config/settings.py", "exercises/queue/procrastinate_engine.py"}


def test_values_belong_to_one_request() -> None:
    first, second = (RequestFactory().get("/") for _ in range(2))
    value: RequestValue[int] = RequestValue("number")
    assert value.get_or_set(first, lambda: 3) == value.get_or_set(first, lambda: 4) == 3
    assert value.get(second) is None
    assert not value.is_set(second)
    value.clear(first)
    assert not value.is_set(first)


def test_values_have_different_names() -> None:
    values = {id(value): value for _, value in module_values() if type(value) is RequestValue}
    names = [value.name for value in values.values()]
    assert len(names) > 10
    assert len(names) == len(set(names))


def test_code_sets_no_undeclared_attribute() -> None:
    assert set(undeclared("vars(request)['a'] = 1")) == {1}
    assert set(undeclared("learner.__dict__.pop('a')\n\nrequest.role = 1")) == {1, 3}
    faults = [
        f"{path}:{line}"
        for path in (ROOT / "quizzes").rglob("*.py")
        if not {"grader", "content"} & set(path.parts)
        if path.relative_to(ROOT / "quizzes").as_posix() not in ALLOWED
        for line in undeclared(path.read_text())
    ]
    assert not faults, "declare a RequestValue, a field of the class, or a dataclass"


def undeclared(source: str) -> Iterator[int]:
    """Yield lines that reach attributes by `vars` or `__dict__`, or set one on a request."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(ast.Name("vars")) | ast.Attribute(attr="__dict__"):
                yield node.lineno
            case ast.Attribute(
                ast.Name("request") | ast.Attribute(attr="request"), ctx=ast.Store()
            ):
                yield node.lineno
