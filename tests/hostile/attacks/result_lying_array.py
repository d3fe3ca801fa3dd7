# EXPECT: wrong could_not_run
# FAMILY: odd results
# STOPPED: 5 frames
class Liar(np.ndarray):
    shape = property(lambda self: (1 << 60,))
    dtype = property(lambda self: "float64")
    nbytes = property(lambda self: 0)
    ndim = 2

    def __array__(self, *a, **k):
        return np.ones((3, 3))

    def tobytes(self, *a, **k):
        return b"x" * 7

    def astype(self, *a, **k):
        return "text"

    def __getattr__(self, name):
        raise SystemExit(name)


def pe(n, d):
    return good(n, d).view(Liar) * 2
