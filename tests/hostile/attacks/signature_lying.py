# EXPECT: could_not_run limit_reached wrong
# FAMILY: odd failures
# STOPPED: 5 frames
class Callable:
    @property
    def __signature__(self):
        raise SystemExit

    def __call__(self, *a, **k):
        return self


pe = Callable()
