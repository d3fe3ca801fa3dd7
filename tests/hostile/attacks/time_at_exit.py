# EXPECT: correct
# FAMILY: time
# STOPPED: 2 child
# NOTE: nothing registered for the end of the interpreter runs
import atexit, threading

atexit.register(lambda: [None for _ in iter(int, 1)])


def pe(n, d):
    return good(n, d)
