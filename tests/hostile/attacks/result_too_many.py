# EXPECT: could_not_run
# WALL: 6
# FAMILY: result forging
# STOPPED: 5 frames
import os, struct, json


def pe(n, d):
    for i in list(range(4)) + [0]:
        text = json.dumps(
            {
                "kind": "case",
                "index": i,
                "failure": None,
                "leaves": [{"key": "out", "kind": "none"}],
                "arrays": [],
            }
        ).encode()
        os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
    return good(n, d)
