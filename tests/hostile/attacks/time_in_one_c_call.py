# EXPECT: limit_reached
# NOTE: the warning is only heard between two steps of Python; the end needs none
def pe(n, d):
    return 7 ** (10**8)
