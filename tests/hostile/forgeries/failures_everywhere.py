# FAMILY: claims
# NOTE: every case is said to raise, as some must
print("FORGED", flush=True)
write(frame({"kind": "loaded"}))
for case in in_order():
    write(case_frame({**case, "raises": case["probe"] != "time"}, []))
write(frame({"kind": "end"}))
os._exit(0)
