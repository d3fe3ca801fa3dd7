# EXPECT: correct
# FAMILY: files of the machine
# STOPPED: 1 bubblewrap, 3 Landlock
import os

for p in (
    "/proc/self/mem",
    "/proc/self/maps",
    "/proc/%d/mem" % os.getppid(),
    "/proc/1/mem",
    "/proc/%d/fd/3" % os.getppid(),
    "/proc/self/status",
    "/dev/fd/3",
):
    attempt(p, lambda: open(p, "rb").read(10))
attempt("listdir /proc", lambda: os.listdir("/proc"))


def pe(n, d):
    return good(n, d)
