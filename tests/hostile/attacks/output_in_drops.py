# EXPECT: limit_reached
import os


def pe(n, d):
    while True:
        os.write(1, b"x")
