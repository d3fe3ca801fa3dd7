# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
import time


def pe(n, d):
    time.sleep(1000)
