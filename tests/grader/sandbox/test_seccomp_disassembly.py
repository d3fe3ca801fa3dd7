"""The filters as text: what reviewers read is what is put on; aarch64 is generated, not run."""

import re

import pytest

from quizzes.grader.sandbox.seccomp import AARCH64, X86_64, Architecture
from quizzes.grader.sandbox.seccomp_disassembly import disassemble
from quizzes.grader.sandbox.syscalls import TABLE
from tests.grader.conftest import ROOT


@pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda machine: machine.name)
def test_the_committed_listing_is_the_filter(machine: Architecture) -> None:
    """After a change of the table, print it anew by seccomp_disassembly (docs/security.md)."""
    text = (ROOT / f"docs/seccomp-{machine.name}.txt").read_text()
    assert text == disassemble(machine)


@pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda machine: machine.name)
def test_every_call_of_the_table_is_named_and_no_other(machine: Architecture) -> None:
    named = set(re.findall(r"if number == \d+ \((\w+)\)", disassemble(machine)))
    assert named == {call.name for call in TABLE if machine.number(call) is not None}


@pytest.mark.parametrize("machine", [X86_64, AARCH64], ids=lambda machine: machine.name)
def test_jumps_go_forward_and_end_in_an_answer(machine: Architecture) -> None:
    lines = disassemble(machine).splitlines()
    for place, line in enumerate(lines):
        for target in map(int, re.findall(r"(?:go to|else) (\d+)", line)):
            assert place < target < len(lines)
    assert lines[-1].endswith("fail with EPERM")
    assert lines[2].endswith("kill the process")
