# EXPECT: could_not_run
# FAMILY: odd failures
# STOPPED: 5 frames
import ctypes


def pe(n, d):
    ctypes.string_at(0)
