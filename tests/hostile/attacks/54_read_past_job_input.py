# EXPECT: correct
# FAMILY: the next job
# STOPPED: 2 child
import os, sys


def pe(n, d):
    attempt("stdin", lambda: sys.stdin.read())
    attempt("input", lambda: input())
    attempt("read result pipe", lambda: os.read(3, 10))
    attempt("reopen", lambda: open("/dev/stdin").read())
    return good(n, d)
