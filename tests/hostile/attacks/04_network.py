# EXPECT: correct
# FAMILY: network
# STOPPED: 4 system-call filter, 1 bubblewrap
import socket

attempt("tcp loopback", lambda: socket.create_connection(("127.0.0.1", int("@PORT@")), 1))
attempt("udp", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
attempt("dns", lambda: socket.getaddrinfo("localhost", 80))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
r = libc.syscall(425, 8, None)
print("LEAK io_uring" if r >= 0 else "BLOCKED io_uring errno %d" % ctypes.get_errno())


def pe(n, d):
    return good(n, d)
