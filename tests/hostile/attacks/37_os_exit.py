# EXPECT: could_not_run
# FAMILY: odd failures
# STOPPED: 5 frames
import os


def pe(n, d):
    os._exit(0)
