# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
# NOTE: the warning is only heard between two steps of Python; the end needs none
def pe(n, d):
    return 7 ** (10**8)
