# FAMILY: frames out of order
# NOTE: the last case first, and loaded when all is said
print("FORGED", flush=True)
for case in reversed(in_order()):
    write(case_frame(case, claimed(case)))
write(frame({"kind": "loaded"}) + frame({"kind": "end"}))
os._exit(0)
