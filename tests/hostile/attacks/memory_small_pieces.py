# EXPECT: limit_reached
# FAMILY: memory
# STOPPED: 2 child
def pe(n, d):
    chain = None
    while True:
        chain = (chain, [0] * 500)
