# EXPECT: could_not_run wrong
import os


def pe(n, d):
    os.dup2(1, 3)
    return good(n, d)
