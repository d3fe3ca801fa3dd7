# EXPECT: correct
# FAMILY: files of the machine
# STOPPED: 1 bubblewrap, 3 Landlock
for p in (
    "/etc/passwd",
    "/etc/shadow",
    "/root/.bashrc",
    "@CANARY@/secret.txt",
    "@CANARY@/supervisor.py",
    "/proc/self/environ",
    "/proc/1/environ",
    "/sys/kernel/notes",
    "/home",
    "/var/log/dpkg.log",
    "/dev/vda",
    "/dev/mem",
):
    attempt("open " + p, lambda: open(p, "rb").read(20))


def pe(n, d):
    return good(n, d)
