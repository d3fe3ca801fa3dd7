# FAMILY: the harness
# NOTE: the codec's own function, replaced in the harness
def encode(header, arrays=()):
    header, arrays = dict(header), list(arrays)
    rewrite(header, arrays)
    return frame(header, arrays)


harness_globals()["encode"] = encode
print("FORGED", flush=True)
