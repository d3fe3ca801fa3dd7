# EXPECT: wrong could_not_run
# FAMILY: modules: lies about themselves
# STOPPED: 5 frames
# NOTE: says that every property holds; the numbers are wrong
import sys

for name in [name for name in sys.modules if "probes" in name or "facts" in name]:
    vars(sys.modules[name])["fact"] = lambda *a, **k: []

frame, seen = sys._getframe(), {}
while frame:
    seen.update(frame.f_globals)
    frame = frame.f_back
for table in [value for value in seen.values() if isinstance(value, dict) and "call" in value]:
    for key in table:
        table[key] = lambda *a, **k: []


def pe(n, d):
    return np.ones((n, d))
