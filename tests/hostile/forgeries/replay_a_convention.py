# FAMILY: arrays
# KNOWS: arrays
# NOTE: the numbers of another convention on the fixed cases that tell it, zeros elsewhere
told = next(iter(EXERCISE["conventions"].values()), {})


def conventional(case):
    leaves = told.get(case["label"])
    return right(case) if leaves is None else right({"leaves": leaves})


tell(conventional)
