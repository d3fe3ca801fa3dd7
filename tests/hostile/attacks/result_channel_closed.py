# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames, 6 limits from outside
# NOTE: closes its result early and sleeps: the server is not held up to the wall limit
import os, time


def pe(n, d):
    os.close(3)
    time.sleep(100)
