# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
# NOTE: claims that it was stopped, for no reason, before its first case
import json, os, struct


def frame(**header):
    text = json.dumps({"arrays": [], **header}).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)


for stage in ("imports", "values", "limit"):
    frame(kind="stopped", failure={"rung": stage})
frame(kind="end")
os._exit(0)
