"""Locking a child down: resource limits, no new privileges, Landlock, system-call filter.

The order matters: limits and Landlock need calls that the filter refuses afterwards. Any failure is
an exception here and `_exit` in the caller, before the child has read a byte of its job.

Each covers what another misses. The filter sees numbers and no paths, so it cannot tell a harmless
file from a secret: Landlock does. Landlock does not know of processes, clocks or memory: the filter
and the limits do. Limits are soft where the code is to be told (SIGXCPU) and hard one second later;
for descriptors, files and processes there is nothing to tell, and both are the same.

Everything goes through ctypes, since Python has no call for Landlock or seccomp. The bytes of the
filter must live as long as a child may put it on: the kernel gets an address, and ctypes keeps no
reference. Rights that only a newer kernel knows are asked for where it offers them; an older one
would refuse the whole set of rules.
"""

from __future__ import annotations

import ctypes
import math
import os
import resource
import struct
from collections.abc import Mapping, Sequence
from typing import Any

_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2

# These three have the same number on every architecture.
_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_ADD_RULE = 445
_LANDLOCK_RESTRICT_SELF = 446
_LANDLOCK_VERSION_FLAG = 1
_LANDLOCK_RULE_PATH_BENEATH = 1

_READ_FILE = 1 << 2
_READ_DIRECTORY = 1 << 3
_ALL_OF_ABI_1 = (1 << 13) - 1
_ADDED_FILE_RIGHTS = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # (since ABI, right)
_NETWORK_SINCE, _ALL_NETWORK = 4, 0b11
_SCOPES_SINCE, _ALL_SCOPES = 6, 0b11  # abstract sockets, signals

_NO_MORE_THAN = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_NOFILE: 24,
    resource.RLIMIT_NPROC: 0,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_SIGPENDING: 16,
}


class _FilterProgram(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


class Confinement:
    """Prepared once in the fork server, put on by each child."""

    def __init__(self, filter_code: bytes, readable: Sequence[str]) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._code = ctypes.create_string_buffer(filter_code, len(filter_code))
        self._program = _FilterProgram(len(filter_code) // 8, ctypes.addressof(self._code))
        self.landlock_abi = self._syscall(
            _LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _LANDLOCK_VERSION_FLAG
        )
        self.ruleset = self._make_ruleset(readable)

    def hide_memory(self) -> None:
        """Refuse debuggers and /proc/<pid>/mem to everyone of the same user."""
        self._prctl(_PR_SET_DUMPABLE, 0)

    def put_on(self, limits: Mapping[str, Any], ruleset: int) -> None:
        """Lock this process down for good; `limits` holds cpu_seconds and address_bytes."""
        for which, most in _NO_MORE_THAN.items():
            resource.setrlimit(which, (most, most))
        address = int(limits["address_bytes"])
        resource.setrlimit(resource.RLIMIT_AS, (address, address))
        cpu = math.ceil(limits["cpu_seconds"])
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        self._prctl(_PR_SET_NO_NEW_PRIVS, 1)
        self._syscall(_LANDLOCK_RESTRICT_SELF, ctypes.c_int(ruleset), 0)
        os.close(ruleset)
        self._prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(self._program))

    def _make_ruleset(self, readable: Sequence[str]) -> int:
        rights = _ALL_OF_ABI_1
        for since, right in _ADDED_FILE_RIGHTS:
            rights |= right if self.landlock_abi >= since else 0
        words = [rights]
        if self.landlock_abi >= _NETWORK_SINCE:
            words.append(_ALL_NETWORK)
        if self.landlock_abi >= _SCOPES_SINCE:
            words.append(_ALL_SCOPES)
        attributes = struct.pack(f"<{len(words)}Q", *words)
        ruleset = self._syscall(
            _LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0
        )
        for path in readable:
            self._allow_reading(ruleset, path)
        return ruleset

    def _allow_reading(self, ruleset: int, path: str) -> None:
        rights = _READ_FILE | (_READ_DIRECTORY if os.path.isdir(path) else 0)
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("<Qi", rights, beneath)
        self._syscall(
            _LANDLOCK_ADD_RULE, ctypes.c_int(ruleset), _LANDLOCK_RULE_PATH_BENEATH, rule, 0
        )
        os.close(beneath)

    def _syscall(self, number: int, *arguments: Any) -> int:
        result = int(self._libc.syscall(ctypes.c_long(number), *arguments))
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, f"system call {number}: {os.strerror(code)}")
        return result

    def _prctl(self, option: int, *arguments: Any) -> None:
        filled = [*arguments, *[0] * 4][:4]
        filled = [ctypes.c_ulong(item) if isinstance(item, int) else item for item in filled]
        if self._libc.prctl(option, *filled) != 0:
            code = ctypes.get_errno()
            raise OSError(code, f"prctl {option}: {os.strerror(code)}")
