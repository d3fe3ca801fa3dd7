# EXPECT: correct
# FAMILY: processes and threads
# STOPPED: 4 system-call filter, 1 bubblewrap
# MACHINE: x86_64
import os, ctypes

libc = ctypes.CDLL(None, use_errno=True)
pp = os.getppid()


def sc(n, no, *x):
    ctypes.set_errno(0)
    r = libc.syscall(no, *x)
    print("LEAK" if r >= 0 else "BLOCKED", n, r, ctypes.get_errno())


sc("ptrace attach", 101, 16, pp, 0, 0)
sc("ptrace seize", 101, 0x4206, pp, 0, 0)
sc("ptrace traceme", 101, 0, 0, 0, 0)
b = ctypes.create_string_buffer(64)


class iov(ctypes.Structure):
    _fields_ = [("b", ctypes.c_void_p), ("l", ctypes.c_size_t)]


l = iov(ctypes.addressof(b), 64)
r = iov(ctypes.addressof(b), 64)
sc("process_vm_readv", 310, pp, ctypes.byref(l), 1, ctypes.byref(r), 1, 0)
sc("process_vm_writev", 311, pp, ctypes.byref(l), 1, ctypes.byref(r), 1, 0)
sc("pidfd_getfd", 438, 3, 3, 0)
sc("kcmp", 312, pp, os.getpid(), 0, 0, 0)


def pe(n, d):
    return good(n, d)
