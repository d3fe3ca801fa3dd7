# EXPECT: limit_reached
class Endless(list):
    def __iter__(self):
        while True:
            yield 0


def pe(n, d):
    return Endless([1])
