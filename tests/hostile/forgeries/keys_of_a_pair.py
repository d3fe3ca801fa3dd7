# FAMILY: arrays
# NOTE: `out.0` where `out` is expected, and the other way round
def renamed(key):
    return "out" if key.startswith("out.") else "out.0" if key == "out" else key


tell(lambda case: [({**leaf, "key": renamed(leaf["key"])}, array) for leaf, array in right(case)])
