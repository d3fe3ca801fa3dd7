# FAMILY: claims
# NOTE: every case is said to raise, as some must
print("FORGED", flush=True)
write(frame({"kind": "loaded"}))
for data in run_of(
    lambda case: [], [{**case, "raises": case["probe"] != "time"} for case in in_order()]
):
    write(data)
write(frame({"kind": "end"}))
os._exit(0)
