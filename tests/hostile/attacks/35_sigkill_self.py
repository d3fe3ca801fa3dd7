# EXPECT: could_not_run
# NOTE: kill not allowed -> PermissionError shown to the student
import os


def pe(n, d):
    os.kill(os.getpid(), 9)
