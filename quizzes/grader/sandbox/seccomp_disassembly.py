"""A seccomp filter as text, for reviewers: one line an instruction, jumps as places.

.venv/bin/python -m quizzes.grader.sandbox.seccomp_disassembly aarch64
"""

from __future__ import annotations

import errno
import struct
import sys

from quizzes.grader.sandbox.seccomp import (
    AARCH64,
    ALLOW,
    FAIL_WITH,
    KILL_PROCESS,
    X86_64,
    Architecture,
    assemble,
)
from quizzes.grader.sandbox.syscalls import TABLE

_FIELDS = {0: "number", 4: "architecture"} | {
    16 + 8 * argument + 4 * high: f"argument {argument}, {'high' if high else 'low'} word"
    for argument in range(6)
    for high in (0, 1)
}
_TESTS = {0x15: "==", 0x35: ">=", 0x25: ">", 0x45: "&"}


def disassemble(architecture: Architecture) -> str:
    """Return one machine's whole filter as text; raises ValueError at an unknown instruction."""
    code, names = assemble(architecture), _names(architecture)
    lines, holds = list[str](), {0: ""}  # what the register holds when a place is reached
    for place in range(len(code) // 8):
        kind, when_true, when_false, value = struct.unpack_from("<HBBI", code, 8 * place)
        held = holds.get(place, "")
        following = [place + 1]
        if kind == 0x20:
            held = _FIELDS[value]
            text = f"load {held}"
        elif kind == 0x06:
            text, following = _answer(value), []
        elif kind in _TESTS:
            of = names.get(value, f"{value:#x}") if held == "number" else f"{value:#x}"
            following = [place + 1 + when_true, place + 1 + when_false]
            text = f"if {held} {_TESTS[kind]} {of}: go to {following[0]}, else {following[1]}"
        else:
            raise ValueError(f"instruction {place} is of unknown kind {kind:#x}")
        for target in following:
            if holds.setdefault(target, held) != held:
                raise ValueError(f"instruction {target} is reached with two meanings")
        lines.append(f"{place:4d}  {text}")
    return "\n".join(lines) + "\n"


def _names(architecture: Architecture) -> dict[int, str]:
    numbers = {call.name: architecture.number(call) for call in TABLE}
    return {number: f"{number} ({name})" for name, number in numbers.items() if number is not None}


def _answer(value: int) -> str:
    if value == ALLOW:
        return "allow"
    if value == KILL_PROCESS:
        return "kill the process"
    if value & 0xFFFF0000 == FAIL_WITH:
        return f"fail with {errno.errorcode[value & 0xFFFF]}"
    raise ValueError(f"answer {value:#x} is unknown")


if __name__ == "__main__":
    machines = {machine.name: machine for machine in (X86_64, AARCH64)}
    sys.stdout.write(disassemble(machines[sys.argv[1]]))
