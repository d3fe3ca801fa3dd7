# EXPECT: correct
# FAMILY: files of the machine
# STOPPED: 1 bubblewrap, 3 Landlock
# NOTE: everything that can be opened is the interpreter, its libraries and the packages
import os


def pe(n, d):
    allowed = ("@STDLIB@", "/site", "/usr/lib", "/lib", "/usr/local/lib", "@LIBRARIES@")
    seen = 0
    for root, folders, files in os.walk("/"):
        for name in files:
            path = os.path.join(root, name)
            seen += 1
            try:
                open(path, "rb").close()
            except OSError:
                continue
            if not path.startswith(allowed) and path not in ("/dev/null", "/dev/urandom"):
                print("LEAK reads", path)
    for folder in (
        "/",
        "/root",
        "/home",
        "/sandbox",
        "/proc",
        "/sys",
        "/etc",
        "/tmp",
        "/var",
        "@CANARY@",
        "/site/..",
    ):
        attempt("list " + folder, lambda: os.listdir(folder))
    print("SAW", seen)
    return good(n, d)
