# EXPECT: correct
# FAMILY: the harness
# STOPPED: 5 frames, 2 child
# PRINTS: JOB VISIBLE
# NOTE: a child sees its own job, all its inputs included; the reference and expected values are nowhere
import gc, sys


def pe(n, d):
    f = sys._getframe(1)
    names = []
    while f:
        names.append(f.f_code.co_name)
        if isinstance(f.f_locals.get("job"), dict):
            print("JOB VISIBLE keys", sorted(f.f_locals["job"]))
        f = f.f_back
    print("FRAMES", names)
    token = "-".join(["REFERENCE", "TOKEN"])
    texts = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple)) and len(o) < 2000]
    hits = [
        type(o)
        for o in texts
        if any(
            isinstance(v, str) and token in v for v in (o.values() if isinstance(o, dict) else o)
        )
    ]
    print("LEAK the reference" if hits else "BLOCKED nothing of the reference", len(texts))
    return good(n, d)
