# EXPECT: could_not_run
# MACHINE: x86_64
# NOTE: x32 ABI number -> bad-arch action of the filter: SIGSYS kill
import ctypes

ctypes.CDLL(None).syscall(0x40000000 + 39)
print("x32 syscall returned")


def pe(n, d):
    return good(n, d)
