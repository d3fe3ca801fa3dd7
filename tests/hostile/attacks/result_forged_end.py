# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
import os, struct, json


def frame(body=b"", **header):
    text = json.dumps({"arrays": [], **header}).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), len(body)) + text + body)


def pe(n, d):
    frame(kind="end")
    return good(n, d)
