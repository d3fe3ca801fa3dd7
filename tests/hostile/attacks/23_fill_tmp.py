# EXPECT: correct
# FAMILY: writing
# STOPPED: 1 bubblewrap, 3 Landlock, 4 system-call filter
# NOTE: no writable file system exists
import os


def pe(n, d):
    for p in ("/tmp", "/tmp/w", "/dev/shm", "/", "/var/tmp", "/run", "/dev"):
        attempt("fill " + p, lambda: open(p + "/fill", "wb").write(b"x" * (1 << 26)))
    return good(n, d)
