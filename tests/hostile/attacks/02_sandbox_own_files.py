# EXPECT: correct
# FAMILY: files of the machine
# STOPPED: 1 bubblewrap, 3 Landlock
for p in (
    "/sandbox/quizzes/grader/inside/fork_server.py",
    "/sandbox/quizzes/grader/protocol/wire.py",
    "/sandbox/ordinal_exercise/__init__.py",
    "@PYTHON@",
):
    attempt("open " + p, lambda: open(p, "rb").read(20))


def pe(n, d):
    return good(n, d)
