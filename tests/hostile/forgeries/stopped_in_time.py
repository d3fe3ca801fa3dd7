# FAMILY: claims
# NOTE: says that time was up after all cases that count
stop = {"kind": "stopped", "failure": {"rung": "limit", "type": "OutOfTime", "time": True}}
print("FORGED", flush=True)
write(frame({"kind": "loaded"}))
for case in in_order():
    if case["probe"] != "time":
        write(case_frame(case, claimed(case)))
write(frame(stop) + frame({"kind": "end"}))
os._exit(0)
