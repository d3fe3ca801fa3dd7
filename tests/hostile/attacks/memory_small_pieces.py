# EXPECT: limit_reached
def pe(n, d):
    chain = None
    while True:
        chain = (chain, [0] * 500)
