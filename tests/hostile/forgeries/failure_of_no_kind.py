# FAMILY: defects
# NOTE: a failure whose stage is a list, which no set takes
FAILED["rung"] = []
tell(lambda case: claimed(case), after=[{"kind": "load", "failure": {"rung": []}}])
