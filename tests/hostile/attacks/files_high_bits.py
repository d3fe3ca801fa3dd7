# EXPECT: correct
# FAMILY: writing
# STOPPED: 4 system-call filter, 3 Landlock
# MACHINE: x86_64
# NOTE: arguments are 64 bits wide; the kernel looks at 32 of some, the filter at all
import ctypes

P = b"/dev/null\0"
for flags in (1, 2, 0o101, 1 << 32 | 1, 0o20200002, 0o2001):
    syscall("openat %o" % flags, 257, ctypes.c_long(-100), P, ctypes.c_ulong(flags), 0)
for flags in (1, 2, 0o1000):
    syscall("open %o" % flags, 2, P, ctypes.c_ulong(flags), 0)
syscall("openat2", 437, ctypes.c_long(-100), P, b"\1" + bytes(23), 24)
syscall("creat", 85, b"/tmp/x", 0o600)
for command in (8, 10, 1024, 1025, 1026, 1031, 1033, 1036, 1 << 32 | 8, 6, 38):
    syscall("fcntl %d" % command, 72, 1, ctypes.c_ulong(command), ctypes.c_long(1))
for request in (0x5412, 0x541B + 0x10000, 0x8902, 0x5421, 0x5452, 1 << 32 | 0x5412):
    syscall("ioctl %x" % request, 16, 1, ctypes.c_ulong(request), ctypes.byref(ctypes.c_int(1)))
limits = ctypes.create_string_buffer(b"\xff" * 16)
for who in (0, 1, 1 << 32):
    syscall("prlimit64 set for %d" % who, 302, ctypes.c_ulong(who), 9, limits, None)
syscall("prlimit64 of another", 302, ctypes.c_ulong(1), 9, None, limits)
syscall("setrlimit", 160, 9, limits)


def pe(n, d):
    return good(n, d)
