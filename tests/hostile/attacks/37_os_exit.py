# EXPECT: could_not_run
import os


def pe(n, d):
    os._exit(0)
