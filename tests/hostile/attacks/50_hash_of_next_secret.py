# EXPECT: correct
# FAMILY: the next job
# STOPPED: 2 child
# NOTE: ASLR/COW: same addresses in every child of one zygote (information only)
import random


def pe(n, d):
    print("RNG", random.random(), float(np.random.rand()), id(object()), hex(id(np)))
    return good(n, d)
