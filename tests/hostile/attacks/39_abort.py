# EXPECT: could_not_run
# FAMILY: odd failures
# STOPPED: 5 frames
# NOTE: abort(): tgkill denied, then hlt -> SIGSEGV
import os


def pe(n, d):
    os.abort()
