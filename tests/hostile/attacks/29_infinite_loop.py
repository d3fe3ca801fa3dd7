# EXPECT: limit_reached
# FAMILY: time
# STOPPED: 6 limits from outside
# NOTE: wall limit, SIGKILL by pidfd
def pe(n, d):
    while True:
        pass
