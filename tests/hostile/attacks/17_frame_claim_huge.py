# EXPECT: could_not_run
# FAMILY: result forging
# STOPPED: 5 frames
# NOTE: length checked against bytes received
import os, struct


def pe(n, d):
    os.write(3, struct.pack("<4sIQ", b"PEQ1", 10, 2**63))
    os._exit(0)
