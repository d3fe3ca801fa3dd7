# EXPECT: limit_reached
# FAMILY: output
# STOPPED: 6 limits from outside
import os


def pe(n, d):
    while True:
        os.write(1, b"x")
