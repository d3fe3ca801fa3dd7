# EXPECT: correct
# FAMILY: kernel surface
# STOPPED: 4 system-call filter
# MACHINE: x86_64
import ctypes

for name, number, arguments in (
    ("prctl no dumpable", 157, (4, 1, 0, 0, 0)),
    ("prctl parent death", 157, (1, 9, 0, 0, 0)),
    ("prctl keepcaps", 157, (8, 1, 0, 0, 0)),
    ("prctl name", 157, (15, b"x", 0, 0, 0)),
    ("personality", 135, (0x0040000,)),
    ("setpriority", 141, (0, 0, -20)),
    ("sched_setscheduler", 144, (0, 1, b"\1\0\0\0")),
    ("sched_setaffinity", 203, (0, 8, b"\xff" * 8)),
    ("ioprio_set", 251, (1, 0, 0)),
    ("mlock", 149, (None, 4096)),
    ("mlockall", 151, (3,)),
    ("swapon", 167, (b"/x", 0)),
    ("reboot", 169, (0, 0, 0, None)),
    ("sethostname", 170, (b"x", 1)),
    ("setuid", 105, (0,)),
    ("setresuid", 117, (0, 0, 0)),
    ("setgroups", 116, (0, None)),
    ("umask", 95, (0,)),
    ("mount", 165, (b"x", b"/", b"tmpfs", 0, None)),
    ("umount", 166, (b"/site", 2)),
    ("move_mount", 429, (0, b"", 0, b"", 0)),
    ("open_tree", 428, (-100, b"/", 1)),
    ("fsopen", 430, (b"tmpfs", 0)),
    ("mount_setattr", 442, (-100, b"/", 0, bytes(32), 32)),
    ("landlock", 444, (None, 0, 1)),
    ("seccomp", 317, (1, 0, b"\0" * 16)),
    ("bpf", 321, (5, bytes(64), 64)),
    ("perf", 298, (bytes(120), 0, -1, -1, 0)),
    ("kexec_file", 320, (0, 0, 0, None, 0)),
    ("finit_module", 313, (0, b"", 0)),
    ("syslog", 103, (3, None, 0)),
    ("acct", 163, (None,)),
    ("ustat", 136, (0, None)),
    ("quotactl", 179, (0, None, 0, None)),
    ("lookup_dcookie", 212, (0, None, 0)),
    ("remap_file_pages", 216, (None, 0, 0, 0, 0)),
    ("mbind", 237, (None, 0, 0, None, 0, 0)),
    ("move_pages", 279, (0, 0, None, None, None, 0)),
    ("migrate_pages", 256, (0, 0, None, None)),
    ("process_mrelease", 448, (0, 0)),
    ("cachestat", 451, (1, None, None, 0)),
    ("pkey_alloc", 330, (0, 0)),
    ("rseq", 334, (None, 0, 1, 0)),
    ("modify_ldt", 154, (0, None, 0)),
    ("iopl", 172, (3,)),
    ("ioperm", 173, (0, 1, 1)),
    ("vhangup", 153, ()),
):
    if name != "rseq":
        syscall(name, number, *arguments)


def pe(n, d):
    return good(n, d)
