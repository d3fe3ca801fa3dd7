# EXPECT: correct limit_reached
# FAMILY: memory
# STOPPED: 2 child
# NOTE: shared anonymous mmap counts in RLIMIT_AS too
import mmap


def pe(n, d):
    x = []
    tot = 0
    try:
        while True:
            m = mmap.mmap(-1, 1 << 26)
            m[::4096] = b"x" * len(m[::4096])
            x.append(m)
            tot += 64
    except (OSError, ValueError, MemoryError) as e:
        print("BLOCKED after MiB", tot, e)
    return good(n, d)
