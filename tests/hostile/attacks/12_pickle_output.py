# EXPECT: wrong
# FAMILY: odd results
# STOPPED: 5 frames
# NOTE: object dtype refused by child packer
import os, pickle


class X:
    def __reduce__(self):
        return (os.system, ("touch @CANARY@/PWNED",))


def pe(n, d):
    return np.array([X()], dtype=object)
