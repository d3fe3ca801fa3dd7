"""One module imports django-allauth's internals, and says why for each."""

import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from quizzes.learners import allauth_internals
from tools.hook_table import ROOT

INTERNAL = re.compile(
    r"^\s*(?:from|import)\s+allauth[\w.]*\.internal\b|\bimport on_user_logged_in\b", re.M
)


def test_one_module_imports_internals() -> None:
    files = [path for path in (ROOT / "quizzes").rglob("*.py") if INTERNAL.search(path.read_text())]
    assert [str(path) for path in files] == [allauth_internals.__file__]


def test_every_import_has_reason() -> None:
    lines = (ROOT / "quizzes" / "learners" / "allauth_internals.py").read_text().splitlines()
    imports = [i for i, line in enumerate(lines) if line.startswith("from allauth")]
    assert len(imports) > 5
    assert all(lines[i - 1].startswith("# ") for i in imports)


def test_missing_receiver_stops_the_start() -> None:
    with pytest.raises(ImproperlyConfigured, match="on_user_logged_in"):  # it is off already
        allauth_internals.disconnect_session_list()
