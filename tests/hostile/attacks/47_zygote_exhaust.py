# EXPECT: correct
# FAMILY: the next job
# STOPPED: 2 child, 4 system-call filter
# NOTE: RLIMIT_NOFILE 24
import os


def pe(n, d):
    fds = []
    try:
        while True:
            fds.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as e:
        print("BLOCKED after", len(fds), e)
    fds2 = []
    try:
        while True:
            fds2.append(os.dup(1))
    except OSError as e:
        print("BLOCKED dup after", len(fds2), e)
    return good(n, d)
