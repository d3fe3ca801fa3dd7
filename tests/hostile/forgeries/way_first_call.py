# FAMILY: result forging
# NOTE: loads honestly, and writes everything from inside the first call
def returned(arguments):
    for data in run_of(claimed):
        write(data)
    write(frame({"kind": "end"}))
    os._exit(0)


print("FORGED", flush=True)
