# FAMILY: arrays
# KNOWS: arrays
# NOTE: the right numbers of all written cases; of the drawn ones results that cannot be looked at
def told(case):
    for known, (leaf, array) in zip(case["leaves"], right(case)):
        yield leaf, array if known["values"] else None


tell(lambda case: list(told(case)))
