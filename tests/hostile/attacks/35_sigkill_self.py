# EXPECT: could_not_run
# FAMILY: signals
# STOPPED: 4 system-call filter
# NOTE: kill not allowed -> PermissionError shown to the student
import os


def pe(n, d):
    os.kill(os.getpid(), 9)
