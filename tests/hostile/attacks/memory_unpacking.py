# EXPECT: limit_reached
# FAMILY: memory
# STOPPED: 2 child
import zlib


def pe(n, d):
    bomb = zlib.compress(bytes(1 << 30)[: 1 << 26] * 1, 9)
    return zlib.decompress(bomb) * 100
