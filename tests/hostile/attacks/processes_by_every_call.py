# EXPECT: correct
# FAMILY: processes and threads
# STOPPED: 4 system-call filter, 2 child
# MACHINE: x86_64
import os, ctypes

for flags in (17, 0x100 | 17, 0x4111, 0x10000000 | 17, 0x7E020000 | 17, 0x50F00, 0x2000000 | 17):
    syscall("clone %x" % flags, 56, ctypes.c_ulong(flags), None, None, None, None)
syscall("fork", 57)
syscall("vfork", 58)
syscall("clone3", 435, bytes(88), 88)
syscall("execve", 59, b"/bin/sh", None, None)
syscall("execveat", 322, -100, b"/bin/sh", None, None, 0)
attempt("forkpty", lambda: os.forkpty())
attempt("spawn", lambda: 1 / (os.spawnv(os.P_WAIT, "@PYTHON@", ["x"]) == 0))
attempt("popen", lambda: os.popen("true").read())
import concurrent.futures as futures

attempt("process pool", lambda: futures.ProcessPoolExecutor(1).submit(abs, 1).result())
attempt("thread pool", lambda: futures.ThreadPoolExecutor(1).submit(abs, 1).result())


def pe(n, d):
    return good(n, d)
