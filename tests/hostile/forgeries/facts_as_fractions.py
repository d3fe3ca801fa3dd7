# FAMILY: facts
# NOTE: whole numbers in float32, in a list of one
def turned(case):
    for leaf, array in facts(case):
        yield {**leaf, "dtype": "float32", "shape": [1]}, np.float32(array).reshape(-1)[:1]


tell(lambda case: [] if case["probe"] == "time" else [random_leaf(), *turned(case)])
