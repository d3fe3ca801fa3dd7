# EXPECT: correct
# FAMILY: kernel surface
# STOPPED: 4 system-call filter
# MACHINE: x86_64
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
for n, no, x in (
    ("unshare user", 272, (0x10000000,)),
    ("setns", 308, (3, 0)),
    ("mount", 165, (b"none", b"/", b"tmpfs", 0, None)),
    ("chroot", 161, (b"/",)),
    ("pivot_root", 155, (b"/", b"/")),
    ("bpf", 321, (0, None, 0)),
    ("perf_event_open", 298, (None, 0, 0, 0, 0)),
    ("userfaultfd", 323, (0,)),
    ("seccomp", 317, (1, 0, None)),
    ("init_module", 175, (None, 0, None)),
    ("kexec", 246, (0, 0, None, 0)),
    ("open_by_handle_at", 304, (3, None, 0)),
    ("name_to_handle_at", 303, (-100, b"/", None, None, 0)),
    ("iopl", 172, (3,)),
    ("modify_ldt", 154, (0, None, 0)),
    ("fanotify", 300, (0, 0)),
    ("inotify", 253, ()),
    ("quotactl", 179, (0, None, 0, None)),
    ("setuid 0", 105, (0,)),
    ("capset", 126, (None, None)),
    ("prctl dumpable", 157, (4, 1, 0, 0, 0)),
    ("prctl seccomp", 157, (22, 0, 0, 0, 0)),
    ("clone NEWUSER", 56, (0x10000000 | 17, 0, 0, 0, 0)),
    ("clone3", 435, (None, 0)),
    ("prlimit other", 302, (1, 7, None, None)),
    ("prlimit raise", 302, (0, 9, b"\xff" * 16, None)),
    ("landlock", 444, (None, 0, 1)),
    ("vmsplice", 278, (1, None, 0, 0)),
    ("process_madvise", 440, (0, None, 0, 0, 0)),
    ("pidfd_open", 434, (1, 0)),
    ("ioctl TIOCSTI", 16, (1, 0x5412, b"x")),
    ("fcntl SETPIPE_SZ", 72, (1, 1031, 1 << 20)),
):
    ctypes.set_errno(0)
    r = libc.syscall(no, *x)
    print("LEAK" if r >= 0 else "BLOCKED", n, r, ctypes.get_errno())


def pe(n, d):
    return good(n, d)
