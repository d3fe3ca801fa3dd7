# EXPECT: limit_reached
# FAMILY: signals
# STOPPED: 6 limits from outside
# NOTE: the warning at the limit may be ignored; the end may not
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def pe(n, d):
    while True:
        pass
