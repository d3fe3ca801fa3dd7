# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
import re


def pe(n, d):
    return re.match(r"(a+)+$", "a" * 64 + "b")
