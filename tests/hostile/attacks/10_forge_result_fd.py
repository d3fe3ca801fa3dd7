# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
# NOTE: forged frame is only a claim about its own outputs; the comparison finds no arrays -> wrong answer
import os, struct, json


def pe(n, d):  # write a self-made frame on the result fd and leave at once
    body = b""
    hd = json.dumps({"ok": True, "verdict": "correct", "score": 1.0, "arrays": []}).encode()
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(hd), 0) + hd)
    os._exit(0)
