"""`make audit` tells a known fault, nothing known, and nothing looked up apart."""

import json

import pytest

from tools import audit

WELL = {"name": "django", "version": "5.2.19", "vulns": []}
BAD = {"name": "pyyaml", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}
SKIPPED = {"name": "numpy", "skip_reason": "not found"}


def run_with(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    class Run:
        stdout, stderr, returncode = text, "no route to host", 1

    monkeypatch.setattr(audit, "installed", lambda: "pip-audit")
    monkeypatch.setattr(audit.subprocess, "run", lambda *_, **__: Run)
    return audit.main()


def report(*found: object) -> str:
    return json.dumps({"dependencies": found})


def test_a_known_fault_is_told(monkeypatch, capsys):
    assert run_with(monkeypatch, report(WELL, BAD, SKIPPED)) == audit.VULNERABLE
    assert "pyyaml 1: X-1, fixed in 2" in capsys.readouterr().out


def test_all_looked_up_and_nothing_known_is_well(monkeypatch, capsys):
    assert run_with(monkeypatch, report(WELL)) == 0


@pytest.mark.parametrize("text", [report(SKIPPED), report(WELL, SKIPPED), "", "not JSON"])
def test_what_was_not_looked_up_is_never_called_well(monkeypatch, text):
    with pytest.raises(SystemExit) as stopped:
        run_with(monkeypatch, text)
    assert isinstance(stopped.value.code, str)
