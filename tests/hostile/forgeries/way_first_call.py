# FAMILY: result forging
# NOTE: loads honestly, and writes everything from inside the first call
def returned(arguments):
    for case in in_order():
        write(case_frame(case, claimed(case)))
    write(frame({"kind": "end"}))
    os._exit(0)


print("FORGED", flush=True)
