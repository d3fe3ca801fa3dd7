# EXPECT: could_not_run
# NOTE: abort(): tgkill denied, then hlt -> SIGSEGV
import os


def pe(n, d):
    os.abort()
