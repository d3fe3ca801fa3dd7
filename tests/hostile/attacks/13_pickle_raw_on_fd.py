# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
# NOTE: trusted side never unpickles
import os, pickle


class X:
    def __reduce__(self):
        return (os.system, ("touch @CANARY@/PWNED",))


def pe(n, d):
    os.write(3, pickle.dumps(X()))
    os._exit(0)
