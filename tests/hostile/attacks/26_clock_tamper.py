# EXPECT: correct
# FAMILY: kernel surface
# STOPPED: 4 system-call filter
# MACHINE: x86_64
import time, ctypes, sys

attempt("settime", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
libc = ctypes.CDLL(None, use_errno=True)
for n, no in (("settimeofday", 164), ("adjtimex", 159), ("clock_adjtime", 305)):
    ctypes.set_errno(0)
    r = libc.syscall(no, 0, None)
    print("LEAK" if r >= 0 else "BLOCKED", n, ctypes.get_errno())
time.perf_counter = time.monotonic = time.time = lambda: 0.0


def pe(n, d):
    return good(n, d)
