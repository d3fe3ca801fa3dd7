# EXPECT: correct
# FAMILY: writing
# STOPPED: 4 system-call filter, 3 Landlock
import os


def pe(n, d):
    for folder in ("/", "/dev", "/site", "/sandbox", "@STDLIB@", "/usr/lib"):
        for label, act in (
            ("mkdir", lambda p: os.mkdir(p + "/x")),
            ("symlink", lambda p: os.symlink("/etc", p + "/x")),
            ("link", lambda p: os.link("/dev/null", p + "/x")),
            ("chmod", lambda p: os.chmod(p, 0o777)),
            ("chown", lambda p: os.chown(p, 0, 0)),
            ("utime", lambda p: os.utime(p)),
            ("rmdir", lambda p: os.rmdir(p)),
            ("rename", lambda p: os.rename(p, p + "2")),
            ("mknod", lambda p: os.mknod(p + "/x")),
            ("mkfifo", lambda p: os.mkfifo(p + "/x")),
            ("truncate", lambda p: os.truncate(p, 0)),
            ("unlink", lambda p: os.unlink(p)),
            ("setxattr", lambda p: os.setxattr(p, "user.x", b"1")),
        ):
            attempt(label + " " + folder, lambda: act(folder))
    return good(n, d)
