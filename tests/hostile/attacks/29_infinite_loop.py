# EXPECT: limit_reached
# NOTE: wall limit, SIGKILL by pidfd
def pe(n, d):
    while True:
        pass
