# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
import os, struct, json


def frame(body=b"", **header):
    text = json.dumps({"arrays": [], **header}).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), len(body)) + text + body)


for i in range(4):
    frame(kind="case", index=i, failure=None, verdict="correct", passed=True, leaves=[])


def pe(n, d):
    return good(n, d)
