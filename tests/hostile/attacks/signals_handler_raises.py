# EXPECT: limit_reached
# FAMILY: signals
# STOPPED: 6 limits from outside
import signal, sys


def handler(*_):
    print("still here")
    raise SystemExit(0)


signal.signal(signal.SIGALRM, handler)


def pe(n, d):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
