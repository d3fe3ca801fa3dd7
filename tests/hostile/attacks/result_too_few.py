# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
# NOTE: fewer results than cases, then a proper end
import os, struct, json


def pe(n, d):
    text = json.dumps({"kind": "end", "arrays": []}).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
    os._exit(0)
