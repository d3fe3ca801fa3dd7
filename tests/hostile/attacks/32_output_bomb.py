# EXPECT: limit_reached
# FAMILY: output
# STOPPED: 6 limits from outside
# NOTE: killed at 1 MiB
def pe(n, d):
    s = "x" * (1 << 20)
    for i in range(1024):
        print(s)
