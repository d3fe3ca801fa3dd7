# FAMILY: claims
# NOTE: nothing is said of the arguments, and something of one there is not
def flags(case):
    kept = [item for item in claimed(case) if not item[0]["key"].startswith("changed.")]
    return [*kept, ({**WHOLE, "key": "changed.nothing"}, np.array(1))] if kept else kept


tell(flags)
