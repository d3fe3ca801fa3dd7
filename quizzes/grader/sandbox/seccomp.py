"""Assembling the system-call table into a seccomp filter (classic BPF), without libseccomp.

Source: `linux/seccomp.h`, `linux/filter.h`. The filter reads `struct seccomp_data`: number at byte
0, architecture at 4, arguments from 16, 8 bytes each, low word first (both machines are
little-endian). A foreign architecture, x86's 32-bit and x32 calls included, kills the process.
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

from quizzes.grader.errors import SandboxUnavailable
from quizzes.grader.sandbox.syscalls import TABLE, Call, Condition, OneOf, Without

ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
FAIL_WITH = 0x00050000

_LOAD_WORD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x40000000


@dataclass(frozen=True)
class Architecture:
    """A machine the table has numbers for; `audit` is its AUDIT_ARCH constant."""

    name: str
    audit: int

    def number(self, call: Call) -> int | None:
        """Return the call's number here."""
        return call.x86_64 if self.name == "x86_64" else call.aarch64


X86_64 = Architecture("x86_64", 0xC000003E)
AARCH64 = Architecture("aarch64", 0xC00000B7)
_ARCHITECTURES = {"x86_64": X86_64, "amd64": X86_64, "aarch64": AARCH64, "arm64": AARCH64}


def this_architecture() -> Architecture:
    """Return this machine's; raises SandboxUnavailable when the table has no numbers for it."""
    machine = platform.machine().lower()
    if machine not in _ARCHITECTURES:
        raise SandboxUnavailable(
            f"There is no system-call table for machines of type {machine!r}.",
            "Run the worker on x86-64 or aarch64.",
        )
    return _ARCHITECTURES[machine]


def assemble(architecture: Architecture) -> bytes:
    """Return the whole filter, 8 bytes an instruction."""
    program = [
        _instruction(_LOAD_WORD, _ARCHITECTURE_AT),
        _instruction(_JUMP_EQUAL, architecture.audit, when_true=1),
        _instruction(_RETURN, KILL_PROCESS),
        _instruction(_LOAD_WORD, _NUMBER_AT),
    ]
    if architecture is X86_64:
        program += [
            _instruction(_JUMP_AT_LEAST, _X32_BIT, when_false=1),
            _instruction(_RETURN, KILL_PROCESS),
        ]
    for call in TABLE:
        number = architecture.number(call)
        if number is not None:
            block = _block(call)
            program.append(_instruction(_JUMP_EQUAL, number, when_false=len(block)))
            program += block
    program.append(_instruction(_RETURN, FAIL_WITH | errno.EPERM))
    return b"".join(program)


def _block(call: Call) -> list[bytes]:
    """Return what happens once the number is known; every path through it returns."""
    if call.always_fails_with is not None:
        return [_instruction(_RETURN, FAIL_WITH | call.always_fails_with)]
    block: list[bytes] = []
    for condition in call.conditions:
        block += _refuse_unless(condition)
    return [*block, _instruction(_RETURN, ALLOW)]


def _refuse_unless(condition: Condition) -> list[bytes]:
    refuse = _instruction(_RETURN, FAIL_WITH | errno.EPERM)
    low, high = (_ARGUMENTS_AT + 8 * condition.argument + offset for offset in (0, 4))
    if isinstance(condition, Without):
        return [
            _instruction(_LOAD_WORD, low),
            _instruction(_JUMP_ANY_BIT, condition.bits, when_false=1),
            refuse,
        ]
    assert isinstance(condition, OneOf)
    tests = [
        _instruction(_JUMP_EQUAL, value, when_true=len(condition.values) - place)
        for place, value in enumerate(condition.values)
    ]
    return [
        _instruction(_LOAD_WORD, high),
        _instruction(_JUMP_EQUAL, 0, when_true=1),
        refuse,
        _instruction(_LOAD_WORD, low),
        *tests,
        refuse,
    ]


def _instruction(code: int, value: int, *, when_true: int = 0, when_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, when_true, when_false, value)
