# EXPECT: correct
# FAMILY: the next job
# STOPPED: 2 child
# NOTE: only 1,2,3 open
import os


def pe(n, d):
    o = []
    for fd in range(0, 4096):
        try:
            st = os.fstat(fd)
            o.append((fd, oct(st.st_mode)))
        except OSError:
            pass
    print("FDS", o)
    for fd in range(4, 300):
        try:
            os.write(fd, b"x")
            print("LEAK wrote to fd", fd)
        except OSError:
            pass
    attempt("read own job pipe again", lambda: os.read(0, 10))
    return good(n, d)
