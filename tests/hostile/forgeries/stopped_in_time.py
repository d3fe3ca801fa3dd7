# FAMILY: claims
# NOTE: says that time was up after all cases that count
stop = {"kind": "stopped", "failure": {"rung": "returned", "type": "OutOfTime", "time": True}}
print("FORGED", flush=True)
write(frame({"kind": "loaded"}))
for data in run_of(claimed, [case for case in in_order() if case["probe"] != "time"]):
    write(data)
write(frame(stop) + frame({"kind": "end"}))
os._exit(0)
