"""The system calls a child may make: one reviewed table for two architectures.

Source: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and, for aarch64,
`include/uapi/asm-generic/unistd.h`. A dash: the call does not exist there. Everything that is not
listed fails with EPERM.

Deliberately absent: fork vfork execve* (new programs), socket* connect bind ... (network), kill
tkill tgkill rt_sigqueueinfo pidfd_* (signals), ptrace process_vm_* kcmp (other processes), prctl
setrlimit seccomp (loosening the limits), memfd_create shm* sem* msg* mq_* pipe* (channels), keyctl
add_key request_key, io_uring_* bpf perf_event_open userfaultfd (kernel surface), mount* unshare
setns chroot, set*id, inotify epoll eventfd timer_* setitimer, sched_set*, mlock*, splice tee.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass

WRITING = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000000  # access mode, CREAT, TRUNC, APPEND, TMPFILE
TCGETS, FIOCLEX = 0x5401, 0x5451
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC = 0, 1, 2, 3, 1030


@dataclass(frozen=True)
class OneOf:
    """The call's argument must be one of these values (all 64 bits)."""

    argument: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Without:
    """The call's argument must have none of these bits set."""

    argument: int
    bits: int


Condition = OneOf | Without


@dataclass(frozen=True)
class Call:
    """One system call, allowed when every condition holds, or always answered with an error."""

    name: str
    x86_64: int | None
    aarch64: int | None
    conditions: tuple[Condition, ...] = ()
    always_fails_with: int | None = None


_READING_ONLY_AT = (Without(2, WRITING),)
_READING_ONLY = (Without(1, WRITING),)
_HARMLESS_COMMANDS = (OneOf(1, (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC)),)

CONDITIONAL = (
    Call("openat", 257, 56, _READING_ONLY_AT),
    Call("open", 2, None, _READING_ONLY),
    # F_SETOWN and F_SETSIG would send signals to others, F_SETPIPE_SZ takes memory, locks block.
    Call("fcntl", 72, 25, _HARMLESS_COMMANDS),
    Call("ioctl", 16, 29, (OneOf(1, (TCGETS, FIOCLEX)),)),
    # Own limits, and only reading them.
    Call("prlimit64", 302, 261, (OneOf(0, (0,)), OneOf(2, (0,)))),
    # Python says "can't start new thread" and glibc falls back from clone3 to clone.
    Call("clone", 56, 220, always_fails_with=errno.EAGAIN),
    Call("clone3", 435, 435, always_fails_with=errno.ENOSYS),
)

_PLAIN = """
read 0 63 | write 1 64 | readv 19 65 | writev 20 66 | pread64 17 67 | lseek 8 62 | close 3 57
fstat 5 80 | stat 4 - | lstat 6 - | newfstatat 262 79 | statx 332 291 | getdents64 217 61
access 21 - | faccessat 269 48 | faccessat2 439 439 | readlink 89 - | readlinkat 267 78
getcwd 79 17 | dup 32 23 | dup2 33 - | dup3 292 24
mmap 9 222 | munmap 11 215 | mremap 25 216 | mprotect 10 226 | madvise 28 233 | brk 12 214
futex 202 98 | futex_waitv 449 449 | set_robust_list 273 99 | get_robust_list 274 100
rseq 334 293 | membarrier 324 283
rt_sigaction 13 134 | rt_sigprocmask 14 135 | rt_sigreturn 15 139 | rt_sigpending 127 136
rt_sigtimedwait 128 137 | sigaltstack 131 132
clock_gettime 228 113 | clock_getres 229 114 | clock_nanosleep 230 115 | nanosleep 35 101
gettimeofday 96 169 | time 201 - | times 100 153 | getrandom 318 278
getpid 39 172 | gettid 186 178 | getppid 110 173 | getuid 102 174 | geteuid 107 175 | getgid 104 176
getegid 108 177 | getgroups 115 158 | getresuid 118 148 | getresgid 120 150 | getpgrp 111 -
getpgid 121 155 | getsid 124 156
sched_yield 24 124 | sched_getaffinity 204 123 | sched_getparam 143 121 | sched_getscheduler 145 120
getcpu 309 168 | getrusage 98 165 | getrlimit 97 163 | getpriority 140 141 | sysinfo 99 179
uname 63 160
exit 60 93 | exit_group 231 94 | restart_syscall 219 128 | arch_prctl 158 - | set_tid_address 218 96
poll 7 - | ppoll 271 73 | select 23 - | pselect6 270 72
"""


def _read_plain(text: str) -> tuple[Call, ...]:
    def number(word: str) -> int | None:
        return None if word == "-" else int(word)

    rows = [row.split() for line in text.strip().splitlines() for row in line.split("|")]
    return tuple(Call(name, number(x86), number(arm)) for name, x86, arm in rows)


PLAIN = _read_plain(_PLAIN)
TABLE = PLAIN + CONDITIONAL
