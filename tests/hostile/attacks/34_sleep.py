# EXPECT: limit_reached
import time


def pe(n, d):
    time.sleep(1000)
