# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
import os, struct


def pe(n, d):
    text = b'{"a":' + b"[" * 30000 + b"]" * 30000 + b"}"
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
    os._exit(0)
