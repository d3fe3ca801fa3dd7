# EXPECT: correct
# FAMILY: network
# STOPPED: 4 system-call filter, 1 bubblewrap
import socket

attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\0@ABSTRACT@"))
attempt("path", lambda: socket.socket(socket.AF_UNIX).connect("@CANARY@/canary.sock"))
attempt("socketpair", lambda: socket.socketpair())


def pe(n, d):
    return good(n, d)
