# FAMILY: facts
# NOTE: facts with an imaginary part of a million
def turned(case):
    for leaf, array in facts(case):
        yield {**leaf, "dtype": "complex128"}, np.asarray(array) + 1e6j


tell(lambda case: [] if case["probe"] == "time" else [random_leaf(), *turned(case)])
