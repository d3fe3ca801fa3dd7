# EXPECT: limit_reached
import re


def pe(n, d):
    return re.match(r"(a+)+$", "a" * 64 + "b")
