# FAMILY: facts
# NOTE: sixty facts nobody asked for, negative, huge and not a number
odd = (-1.0, 2.0**60, float("nan"), float("inf"), -(2.0**63))


def more(case):
    for place in range(60):
        entry = {**WHOLE, "key": f"fact.mine{place}", "dtype": "float64"}
        yield entry, np.array(odd[place % len(odd)])


tell(lambda case: [] if case["probe"] == "time" else [*claimed(case), *more(case)])
