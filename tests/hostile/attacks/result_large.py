# EXPECT: wrong limit_reached
# FAMILY: odd results
# STOPPED: 5 frames, 6 limits from outside
def pe(n, d):
    return np.ones((6000, 6000))
