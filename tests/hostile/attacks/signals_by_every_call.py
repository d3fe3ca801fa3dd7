# EXPECT: correct
# FAMILY: signals
# STOPPED: 4 system-call filter, 1 bubblewrap
# MACHINE: x86_64
import os

parent, me = os.getppid(), os.getpid()
info = bytes(128)
for number in (0, 9, 19):
    for target in (parent, 1, -1, 0, me):
        syscall("kill", 62, target, number)
        syscall("tkill", 200, target, number)
        syscall("tgkill", 234, target, target, number)
        syscall("rt_sigqueueinfo", 129, target, number, info)
        syscall("rt_tgsigqueueinfo", 297, target, target, number, info)
syscall("pidfd_open", 434, parent, 0)
syscall("pidfd_send_signal", 424, 3, 9, None, 0)
syscall("F_SETOWN", 72, 1, 8, parent)
syscall("F_SETSIG", 72, 1, 10, 9)
syscall("O_ASYNC", 72, 1, 4, 0o20000)
syscall("F_NOTIFY", 72, 1, 1026, 1)
syscall("FIOSETOWN", 16, 1, 0x8901, b"\1\0\0\0")
syscall("timer_create", 222, 0, None, info)
syscall("setitimer", 38, 0, info, None)
syscall("alarm", 37, 1)
syscall("mq_notify", 244, 0, None)


def pe(n, d):
    return good(n, d)
