# EXPECT: could_not_run
import ctypes


def pe(n, d):
    ctypes.string_at(0)
