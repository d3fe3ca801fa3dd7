# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
# NOTE: holds no number, passes every naive check, and reshape raises ValueError
import os, struct, json


def pe(n, d):
    text = json.dumps(
        {
            "kind": "case",
            "index": 0,
            "failure": None,
            "leaves": [],
            "arrays": [["0", "f8", [0, 16777216, 16777216, 16777216]]],
        }
    ).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
    os._exit(0)
