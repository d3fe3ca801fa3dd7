"""What every attack file finds defined: put before its text by the test."""

import ctypes

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)


def good(n, d):
    """The right table, for even d."""
    position, i = np.arange(n)[:, None], np.arange(0, d, 2)[None]
    angle = position / 10000 ** (i / d)
    table = np.zeros((n, d))
    table[:, 0::2] = np.sin(angle)
    table[:, 1::2] = np.cos(angle)
    return table


def attempt(label, act):
    """Says whether an attack was refused."""
    try:
        result = act()
    except BaseException as error:
        print("BLOCKED", label, type(error).__name__, str(error)[:90])
    else:
        print("LEAK", label, repr(result)[:120])


def syscall(label, number, *arguments):
    """Says whether a raw system call (x86-64 number) was refused."""
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *arguments)
    print("LEAK" if result >= 0 else "BLOCKED", label, result, ctypes.get_errno())
