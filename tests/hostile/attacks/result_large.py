# EXPECT: wrong limit_reached
def pe(n, d):
    return np.ones((6000, 6000))
