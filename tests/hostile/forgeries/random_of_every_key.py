# FAMILY: claims
# NOTE: each result by its right key, said to be made by chance
tell(
    lambda case: [
        random_leaf(leaf["key"]) if leaf["key"].startswith(("out", "look.")) else (leaf, array)
        for leaf, array in right(case)
    ]
)
