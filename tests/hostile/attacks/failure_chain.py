# EXPECT: could_not_run
# FAMILY: odd failures
# STOPPED: 8 clean text, 6 limits from outside
def pe(n, d):
    error = None
    for i in range(5000):
        e = ValueError("x" * 10000)
        e.__cause__ = error
        e.add_note("n" * 10000)
        error = e
    raise error
