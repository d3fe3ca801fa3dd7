# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
# NOTE: a wait for a processor does not count; the wait after each nap is the nap's own
import os
import time


def pe(n, d):
    while True:
        time.sleep(1e-9)
        os.sched_yield()
