# EXPECT: wrong
# FAMILY: odd results
# STOPPED: 5 frames
def pe(n, d):
    return [good(n, d) for _ in range(300)]
