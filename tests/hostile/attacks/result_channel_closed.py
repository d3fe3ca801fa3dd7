# EXPECT: could_not_run
# NOTE: closes its result early and sleeps: the server is not held up to the wall limit
import os, time


def pe(n, d):
    os.close(3)
    time.sleep(100)
