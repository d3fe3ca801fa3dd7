# EXPECT: limit_reached
# NOTE: RLIMIT_AS -> MemoryError
def pe(n, d):
    x = []
    while True:
        x.append(np.ones(1 << 24))
