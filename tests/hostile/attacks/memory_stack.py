# EXPECT: could_not_run limit_reached
# FAMILY: memory
# STOPPED: 2 child
import sys, threading


def pe(n, d):
    sys.setrecursionlimit(10**9)

    def f(x):
        return f(x) + [].sort(key=f)

    import functools

    g = functools.partial(f)

    class A:
        def __getattr__(self, k):
            return getattr(self, k)

    return A().x
