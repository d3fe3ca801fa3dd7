# EXPECT: limit_reached
# FAMILY: memory
# STOPPED: 2 child
# NOTE: RLIMIT_AS -> MemoryError
def pe(n, d):
    x = []
    while True:
        x.append(np.ones(1 << 24))
