# FAMILY: arrays
# NOTE: arrays without a number, in the place of every result
tell(
    lambda case: [
        ({**leaf, "shape": [0]}, np.zeros(0))
        if leaf["key"].startswith(("out", "look."))
        else (leaf, array)
        for leaf, array in right(case)
    ]
)
