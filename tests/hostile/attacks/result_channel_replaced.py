# EXPECT: could_not_run wrong
# FAMILY: result forging
# STOPPED: 5 frames
import os


def pe(n, d):
    os.dup2(1, 3)
    return good(n, d)
