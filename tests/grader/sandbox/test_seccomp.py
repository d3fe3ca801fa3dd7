"""The system-call filter: our assembler against libseccomp, decision by decision, and the table."""

import errno
import itertools
import struct

import pyseccomp
import pytest

from quizzes.grader.sandbox.seccomp import (
    AARCH64,
    ALLOW,
    FAIL_WITH,
    KILL_PROCESS,
    X86_64,
    Architecture,
    assemble,
)
from quizzes.grader.sandbox.syscalls import TABLE, OneOf, Without

WORD = 0xFFFFFFFF
ARCHITECTURES = [X86_64, AARCH64]
PYSECCOMP_NAMES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}
NEVER = [
    *("fork", "vfork", "execve", "execveat", "kill", "tkill", "tgkill", "rt_sigqueueinfo"),
    *("pidfd_open", "pidfd_send_signal", "pidfd_getfd", "ptrace", "process_vm_readv"),
    *("process_vm_writev", "kcmp", "prctl", "setrlimit", "seccomp", "setitimer", "timer_create"),
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "sendto", "sendmsg"),
    *("memfd_create", "shmget", "semget", "msgget", "mq_open", "pipe2", "eventfd2", "splice"),
    *("keyctl", "add_key", "request_key", "io_uring_setup", "bpf", "perf_event_open"),
    *("userfaultfd", "mount", "umount2", "unshare", "setns", "chroot", "pivot_root", "setuid"),
    *("setgid", "capset", "unlink", "rename", "mkdir", "symlink", "link", "chmod", "chown"),
    *("truncate", "ftruncate", "creat", "openat2", "open_by_handle_at", "name_to_handle_at"),
    *("inotify_init1", "epoll_create1", "sched_setaffinity", "mlock", "tee", "vmsplice"),
    *("init_module", "kexec_load", "process_madvise", "landlock_create_ruleset"),
]


def decide(code: bytes, architecture: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    """What the filter returns: an interpreter of classic BPF, for the instructions in use."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(*arguments, *[0] * 6)[:6])
    place, register = 0, 0
    while True:
        kind, when_true, when_false, value = struct.unpack_from("<HBBI", code, 8 * place)
        place += 1
        if kind == 0x20:
            (register,) = struct.unpack_from("<I", data, value)
        elif kind == 0x54:
            register &= value
        elif kind == 0x05:
            place += value
        elif kind == 0x06:
            return int(value)
        else:
            held = {0x15: register == value, 0x35: register >= value, 0x25: register > value}
            held[0x45] = bool(register & value)
            place += when_true if held[kind] else when_false


def libseccomp_filter(architecture: Architecture, tmp_path) -> bytes:
    """The same table, compiled by libseccomp."""
    made = pyseccomp.SyscallFilter(defaction=pyseccomp.ERRNO(errno.EPERM))
    if made.exist_arch(pyseccomp.Arch.NATIVE) and architecture is AARCH64:
        made.add_arch(PYSECCOMP_NAMES["aarch64"])
        made.remove_arch(pyseccomp.Arch.NATIVE)
    made.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    for call in TABLE:
        if architecture.number(call) is None:
            continue
        if call.always_fails_with is not None:
            made.add_rule(pyseccomp.ERRNO(call.always_fails_with), call.name)
            continue
        for rule in itertools.product(*map(alternatives, call.conditions)):
            made.add_rule(pyseccomp.ALLOW, call.name, *rule)
    with (tmp_path / "filter").open("w+b") as file:
        made.export_bpf(file)
    return (tmp_path / "filter").read_bytes()


def alternatives(condition: OneOf | Without) -> list[pyseccomp.Arg]:
    if isinstance(condition, Without):
        return [pyseccomp.Arg(condition.argument, pyseccomp.MASKED_EQ, condition.bits, 0)]
    return [pyseccomp.Arg(condition.argument, pyseccomp.EQ, value) for value in condition.values]


INTERESTING = [0, 1, 2, 3, 4, 8, 10, 0o100, 0o1000, 0o2000, 0o2000000, 0o20200000, 1030, 1031]
INTERESTING += [0x5401, 0x5412, 0x5451, WORD, 1 << 32, (1 << 32) | 1, 1 << 63]


@pytest.mark.slow
@pytest.mark.covering(most=1)
@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda a: a.name)
def test_decides_as_libseccomp_does(architecture: Architecture, tmp_path) -> None:
    ours, theirs = assemble(architecture), libseccomp_filter(architecture, tmp_path)
    named = {architecture.number(call) for call in TABLE}
    for number in [*range(600), 0x3FFFFFFF]:
        for value in INTERESTING if number in named else INTERESTING[::7]:
            for arguments in ((value, 0, 0), (0, value, 0), (0, 0, value), (value,) * 3):
                decision = decide(ours, architecture.audit, number, arguments)
                assert decision == decide(theirs, architecture.audit, number, arguments), (
                    f"system call {number} with {arguments}"
                )


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda a: a.name)
def test_numbers_are_the_kernels(architecture: Architecture) -> None:
    for call in TABLE:
        known = pyseccomp.resolve_syscall(PYSECCOMP_NAMES[architecture.name], call.name)
        number = architecture.number(call)
        assert known == number or (number is None and known < 0), call.name


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda a: a.name)
@pytest.mark.parametrize("name", NEVER)
def test_dangerous_calls_are_refused(architecture: Architecture, name: str) -> None:
    number = pyseccomp.resolve_syscall(PYSECCOMP_NAMES[architecture.name], name)
    if number >= 0:
        decision = decide(assemble(architecture), architecture.audit, number)
        assert decision == FAIL_WITH | errno.EPERM


def test_x32_calls_and_foreign_machines_are_killed() -> None:
    code = assemble(X86_64)
    assert decide(code, X86_64.audit, 0x40000000 + 39) == KILL_PROCESS
    assert decide(code, X86_64.audit, WORD) == KILL_PROCESS
    assert decide(code, AARCH64.audit, 39) == KILL_PROCESS
    assert decide(code, 0x40000003, 20) == KILL_PROCESS  # i386 by int 0x80
    assert decide(assemble(AARCH64), X86_64.audit, 63) == KILL_PROCESS


def test_threads_and_clone3_fail_kindly() -> None:
    code = assemble(X86_64)
    assert decide(code, X86_64.audit, 56) == FAIL_WITH | errno.EAGAIN
    assert decide(code, X86_64.audit, 435) == FAIL_WITH | errno.ENOSYS


def test_reading_is_allowed_and_writing_is_not() -> None:
    code, openat = assemble(X86_64), 257
    assert decide(code, X86_64.audit, openat, (0, 0, 0o2000000)) == ALLOW
    for flags in (0o1, 0o2, 0o100, 0o1000, 0o2001, 0o20200002):
        assert decide(code, X86_64.audit, openat, (0, 0, flags)) == FAIL_WITH | errno.EPERM
