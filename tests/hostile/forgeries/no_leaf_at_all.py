# FAMILY: claims
# NOTE: nothing is said, so nothing differs
tell(lambda case: facts(case))
