# EXPECT: limit_reached
# FAMILY: odd results
# STOPPED: 6 limits from outside, 2 child
class Endless(list):
    def __iter__(self):
        while True:
            yield 0


def pe(n, d):
    return Endless([1])
