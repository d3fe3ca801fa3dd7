# FAMILY: frames out of order
# NOTE: loads between any two cases
print("FORGED", flush=True)
for case in in_order():
    write(frame({"kind": "loaded"}) + case_frame(case, claimed(case)))
write(frame({"kind": "end"}))
os._exit(0)
