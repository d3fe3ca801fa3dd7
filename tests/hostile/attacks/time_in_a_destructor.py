# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
class Late:
    def __del__(self):
        while True:
            pass


def pe(n, d):
    Late()
    return good(n, d)
