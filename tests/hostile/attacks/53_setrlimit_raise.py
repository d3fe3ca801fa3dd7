# EXPECT: correct
# FAMILY: kernel surface
# STOPPED: 2 child, 4 system-call filter
# NOTE: hard limits + prlimit64(set) not in filter
import resource


def pe(n, d):
    for r in (
        resource.RLIMIT_AS,
        resource.RLIMIT_CPU,
        resource.RLIMIT_NPROC,
        resource.RLIMIT_NOFILE,
    ):
        attempt("raise", lambda: resource.setrlimit(r, (resource.RLIM_INFINITY,) * 2))
    return good(n, d)
