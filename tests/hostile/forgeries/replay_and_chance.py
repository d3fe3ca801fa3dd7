# FAMILY: arrays
# KNOWS: arrays
# NOTE: the right numbers wherever they can be known, chance where not
tell(
    lambda case: [
        random_leaf(leaf["key"]) if known["values"] is None else (leaf, array)
        for known, (leaf, array) in zip(case["leaves"], right(case))
    ]
)
