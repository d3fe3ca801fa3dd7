# EXPECT: correct
# FAMILY: signals
# STOPPED: 4 system-call filter, 1 bubblewrap
import os

attempt("kill(-1,9)", lambda: os.kill(-1, 9))
attempt("kill(-1,STOP)", lambda: os.kill(-1, 19))


def pe(n, d):
    return good(n, d)
