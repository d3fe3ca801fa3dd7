# EXPECT: wrong could_not_run
# FAMILY: odd results
# STOPPED: 5 frames
class Everything:
    __array_interface__ = property(
        lambda self: {"shape": (1 << 40,), "typestr": "<f8", "data": (1, False), "version": 3}
    )
    __class__ = property(lambda self: np.ndarray)

    def __len__(self):
        return -1

    def __getattr__(self, name):
        return self

    def __call__(self, *a, **k):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        return self


def pe(n, d):
    return Everything()
