# EXPECT: correct
# FAMILY: files of the machine
# STOPPED: 1 bubblewrap
# NOTE: the supervisor's secrets are not in the environment, on the command line, in memory of pid 1
import os, sys

text = repr(dict(os.environ)) + repr(sys.argv) + repr(sys.orig_argv) + repr(sys.path)
print("LEAK secret" if "ordinal-" + "canary" in text else "BLOCKED secret")
print("LEAK home" if "/work" in text or os.environ.get("PATH") else "BLOCKED home")
libc.getenv.restype = ctypes.c_char_p
print("LEAK getenv" if libc.getenv(b"ORDINAL_CANARY") else "BLOCKED getenv")
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
i = 0
while environ[i]:
    if b"canary" in environ[i]:
        print("LEAK environ", environ[i])
    i += 1


def pe(n, d):
    return good(n, d)
