# EXPECT: correct
# FAMILY: files of the machine
# STOPPED: 2 child, 3 Landlock
import os

root = os.open("/", os.O_PATH | os.O_DIRECTORY)
for name in (
    "etc/passwd",
    "@CANARY@/secret.txt".lstrip("/"),
    "proc/1/environ",
    "sandbox/quizzes/grader/protocol/wire.py",
    "../../etc/passwd",
):
    attempt("openat " + name, lambda: os.open(name, os.O_RDONLY, dir_fd=root))
attempt("chdir", lambda: os.chdir("/"))
attempt("fchdir", lambda: os.fchdir(root))
attempt("chroot", lambda: os.chroot("/site"))
attempt(
    "write through a read-only descriptor",
    lambda: os.write(os.open("/dev/null", os.O_RDONLY), b"x"),
)


def pe(n, d):
    return good(n, d)
