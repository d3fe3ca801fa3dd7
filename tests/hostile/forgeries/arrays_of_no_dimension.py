# FAMILY: arrays
# NOTE: one number that would stretch to any shape
tell(
    lambda case: [
        ({**leaf, "shape": []}, np.zeros(()))
        if leaf["key"].startswith(("out", "look."))
        else (leaf, array)
        for leaf, array in right(case)
    ]
)
