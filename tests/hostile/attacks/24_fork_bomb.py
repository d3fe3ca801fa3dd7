# EXPECT: correct
# FAMILY: processes and threads
# STOPPED: 4 system-call filter, 2 child
# NOTE: clone/fork/execve not in the filter
import os


def pe(n, d):
    for i in range(200):
        try:
            if os.fork() == 0:
                while True:
                    pass
        except OSError as e:
            print("BLOCKED fork", e)
            break
    else:
        print("LEAK forked 200")
    import subprocess, multiprocessing

    attempt("subprocess", lambda: subprocess.run(["@PYTHON@", "-c", "1"]))
    attempt("mp", lambda: multiprocessing.Process(target=print).start())
    attempt("execv", lambda: os.execv("@PYTHON@", ["x"]))
    attempt("posix_spawn", lambda: os.posix_spawn("/bin/sh", ["sh"], {}))
    attempt("system rc 0", lambda: 1 / (1 if os.system("true") == 0 else 0))
    return good(n, d)
