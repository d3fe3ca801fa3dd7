# FAMILY: facts
# NOTE: facts whose kind and dtype are said to be text
def turned(case):
    for leaf, array in facts(case):
        yield {**leaf, "kind": "text", "type": "str", "dtype": "text"}, array


tell(lambda case: [] if case["probe"] == "time" else [random_leaf(), *turned(case)])
