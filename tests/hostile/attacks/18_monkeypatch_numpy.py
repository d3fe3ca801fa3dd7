# EXPECT: could_not_run wrong
# WALL: 6
# FAMILY: the harness
# STOPPED: 5 frames, 2 child
# PRINTS: PATCHED encode
# NOTE: patches its own copy-on-write copy, of numpy and of the harness; the next job is unharmed
import sys, json

np.asarray = lambda *a, **k: good(64, 32)
np.ascontiguousarray = lambda *a, **k: good(64, 32)
np.allclose = lambda *a, **k: True
np.testing.assert_allclose = lambda *a, **k: None
f = sys._getframe()
spaces = {}
while f:
    spaces[f.f_globals.get("__name__")] = f.f_globals
    f = f.f_back
harness = spaces["quizzes.grader.inside.harness"]
for name in ("encode", "observe", "describe_failure", "_flush"):
    assert callable(harness[name])
    print("PATCHED", name)
harness["encode"] = lambda *a, **k: b"PEQ1" + b"\0" * 12
harness["observe"] = lambda *a: []
json.dumps = lambda *a, **k: "{}"


def pe(n, d):
    return np.ones((n, d))
