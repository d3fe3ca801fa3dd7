"""Middlewares stand in the order that `config/middleware.py` gives reasons for."""

import pytest

from quizzes.config.middleware import MIDDLEWARE, ORDER, order_faults


def name_of(path: str) -> str:
    return path.rpartition(".")[2].removesuffix("Middleware")


def test_settings_have_order() -> None:
    assert order_faults(MIDDLEWARE) == []


@pytest.mark.parametrize(("first", "second", "reason"), ORDER)
def test_order_fault_names_both(first: str, second: str, reason: str) -> None:
    names = list(map(name_of, MIDDLEWARE))
    i, j = names.index(first), names.index(second)
    names[i], names[j] = names[j], names[i]
    assert f"{first} must come before {second}: {reason}" in order_faults(names)


def test_own_middlewares_have_reason() -> None:
    own = {name_of(path) for path in MIDDLEWARE if path.startswith("quizzes.")}
    assert len(own) <= 10
    assert own <= {name for first, second, _ in ORDER for name in (first, second)}
