# EXPECT: could_not_run limit_reached
# FAMILY: odd failures
# STOPPED: 8 clean text, 6 limits from outside
# NOTE: an exception that lies about its name and text, and never ends saying it
class Liar(Exception):
    def __str__(self):
        while True:
            pass


Liar.__name__ = "\x1b[31m<b>" + "x" * 100000


def pe(n, d):
    raise Liar
