# EXPECT: limit_reached
class Late:
    def __del__(self):
        while True:
            pass


def pe(n, d):
    Late()
    return good(n, d)
