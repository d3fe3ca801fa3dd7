# EXPECT: correct
# FAMILY: output
# STOPPED: 8 clean text
# NOTE: terminal escapes / HTML / invalid utf-8 must be cleaned on display
def pe(n, d):
    print("\x1b[2J\x1b]0;owned\x07<script>alert(1)</script>\u202e")
    import sys

    sys.stdout.buffer.write(b"\xff\xfe\x00")
    return good(n, d)
