# EXPECT: correct
# FAMILY: writing
# STOPPED: 1 bubblewrap, 3 Landlock, 4 system-call filter
import os


def pe(n, d):
    for fl in (
        os.O_CREAT | os.O_RDONLY,
        os.O_WRONLY,
        os.O_RDWR,
        os.O_TMPFILE | os.O_RDWR,
        os.O_RDONLY | os.O_TRUNC,
        os.O_APPEND | os.O_WRONLY,
    ):
        for p in ("/tmp", "/tmp/z", "/dev/null", "@STDLIB@/os.py"):
            attempt(f"open {p} {fl:o}", lambda: os.open(p, fl, 0o666))
    return good(n, d)
