# EXPECT: wrong could_not_run
# FAMILY: modules: loops and exits
# STOPPED: 5 frames
# NEEDS: torch
# KIND: module
class Enc(Good):
    def train(self, mode=True):
        raise KeyboardInterrupt("\x1b[31m" + "x" * 100_000)

    def _apply(self, function, recurse=True):
        raise GeneratorExit

    def state_dict(self, *a, **k):
        raise SystemExit(0)

    def __del__(self):
        raise BaseException("late")
