# EXPECT: correct
# FAMILY: the next job
# STOPPED: 4 system-call filter, 1 bubblewrap
# MACHINE: x86_64
# NOTE: nothing through which one job could speak to the next
import os, ctypes

syscall("memfd_create", 319, b"x", 0)
syscall("memfd_secret", 447, 0)
syscall("shmget", 29, 1234, 4096, 0o1666)
syscall("semget", 64, 1234, 1, 0o1666)
syscall("msgget", 68, 1234, 0o1666)
syscall("mq_open", 240, b"x", 0o102, 0o600, None)
syscall("pipe2", 293, bytes(8), 0)
syscall("pipe", 22, bytes(8))
syscall("socketpair", 53, 1, 1, 0, bytes(8))
syscall("eventfd2", 290, 0, 0)
syscall("signalfd4", 289, -1, bytes(8), 8, 0)
syscall("timerfd_create", 283, 0, 0)
syscall("epoll_create1", 291, 0)
syscall("inotify_init1", 294, 0)
syscall("userfaultfd", 323, 0)
syscall("add_key", 248, b"user", b"x", b"y", 1, -4)
syscall("request_key", 249, b"user", b"x", None, -4)
syscall("keyctl", 250, 0, -4, 1)
syscall("io_uring_setup", 425, 8, bytes(120))
syscall("io_setup", 206, 1, bytes(8))
syscall("flock", 73, 1, 2)
syscall("sync_file_range", 277, 1, 0, 0, 0)
syscall("fsync", 74, 1)
attempt(
    "posix shared memory",
    lambda: __import__("multiprocessing.shared_memory").shared_memory.SharedMemory("x", True, 4096),
)


def pe(n, d):
    return good(n, d)
