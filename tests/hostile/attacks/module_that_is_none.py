# EXPECT: wrong could_not_run
# FAMILY: modules: lies about themselves
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
class Enc:
    __class__ = property(lambda self: nn.Module)

    def __init__(self, d_model, max_len=64, dropout=0.0):
        pass

    def __getattr__(self, name):
        return lambda *a, **k: self

    def __call__(self, x):
        return x

    def __iter__(self):
        return iter([self] * 3)
