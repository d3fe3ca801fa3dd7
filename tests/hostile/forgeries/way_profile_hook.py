# FAMILY: the harness
# NOTE: a profiler edits the header and the list of arrays as they are handed to the codec
def hook(at, event, _):
    if event == "call" and at.f_code.co_name == "encode" and "header" in at.f_locals:
        arrays = at.f_locals["arrays"]
        rewrite(at.f_locals["header"], arrays if isinstance(arrays, list) else [])


harness_globals()
sys.setprofile(hook)
print("FORGED", flush=True)
