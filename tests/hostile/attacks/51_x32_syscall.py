# EXPECT: could_not_run
# FAMILY: kernel surface
# STOPPED: 4 system-call filter
# MACHINE: x86_64
# NOTE: x32 ABI number -> bad-arch action of the filter: SIGSYS kill
import ctypes

ctypes.CDLL(None).syscall(0x40000000 + 39)
print("x32 syscall returned")


def pe(n, d):
    return good(n, d)
