# EXPECT: correct
for p in (
    "/sandbox/quizzes/grader/inside/fork_server.py",
    "/sandbox/quizzes/grader/wire.py",
    "@PYTHON@",
):
    attempt("open " + p, lambda: open(p, "rb").read(20))


def pe(n, d):
    return good(n, d)
