# EXPECT: wrong
def pe(n, d):
    return [good(n, d) for _ in range(300)]
