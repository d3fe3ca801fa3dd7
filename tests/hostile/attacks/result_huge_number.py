# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
import os, struct


def pe(n, d):
    text = b'{"kind":"case","index":' + b"9" * 50000 + b',"arrays":[]}'
    os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
    os._exit(0)
