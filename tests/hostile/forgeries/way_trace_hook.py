# FAMILY: the harness
# NOTE: the same by a debugger's hook
def hook(at, event, _):
    if event == "call" and at.f_code.co_name == "encode" and "header" in at.f_locals:
        arrays = at.f_locals["arrays"]
        rewrite(at.f_locals["header"], arrays if isinstance(arrays, list) else [])


harness_globals()
sys.settrace(hook)
print("FORGED", flush=True)
