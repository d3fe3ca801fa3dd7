# EXPECT: could_not_run wrong
# FAMILY: the harness
# STOPPED: 5 frames, 2 child
# PRINTS: REWROTE observe
# NOTE: reaches the harness by its frames, rewrites it, and only fools itself
import sys, types

frame, seen = sys._getframe(), {}
while frame:
    seen.update(frame.f_globals)
    frame = frame.f_back
for name, value in seen.items():
    if isinstance(value, types.FunctionType) and name in ("observe", "encode", "describe_failure"):
        value.__code__ = (lambda *a, **k: []).__code__
        print("REWROTE", name)


def pe(n, d):
    return np.ones((n, d))
